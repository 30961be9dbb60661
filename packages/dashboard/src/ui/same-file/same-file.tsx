import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useChangeVideos } from '../../data/change-videos.js'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../icons.js'
import { sayFailed } from '../notices.js'
import { useUndoable } from '../use-undoable.js'
import { strings } from './strings.js'

interface SameFileProps {
  /** Undefined while it has no file. */
  readonly videoId: string | undefined
}

/** Names the videos of the channel that have the same file. Nothing is deleted unless the publisher chooses so. */
export function SameFile({ videoId }: SameFileProps) {
  const { client, channel, mayEdit } = useSession()
  const [isKept, setIsKept] = useLocalStorage({
    key: `zoetrope.kept.${videoId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { data } = useQuery({
    queryKey: keyOf('sources', channel._id, 'list', videoId),
    queryFn: ({ signal }) => client.sources.list(videoId ?? '', { per_page: 100 }, { signal }),
    enabled: videoId !== undefined && !isKept,
  })
  const others = new Map(
    (data?.response ?? []).flatMap(({ duplicates }) => duplicates.map(({ _id, title }) => [_id, title])),
  )
  if (videoId === undefined || isKept || others.size === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="status">
      {strings.before}{' '}
      {[...others].map(([id, title], index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={`/videos/${id}`} inherit c="inherit" underline="always">
            {title}
          </Anchor>
        </Fragment>
      ))}
      {mayEdit && <OpenCopy videoId={videoId} others={[...others.keys()]} />}
      {mayEdit && (
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" onClick={() => setIsKept(true)}>
            {strings.keep}
          </Button>
          <RemoveThis videoId={videoId} />
        </Group>
      )}
    </Alert>
  )
}

/** What somebody needs to watch a video. */
const ways = [
  ...(['subscription_required', 'pass_required', 'purchase_required', 'rental_required'] as const),
  ...(['redemption_code_required', 'registration_required'] as const),
]
const terms = ['purchase_price', 'rental_price', 'rental_duration', 'content_rule_profile_id'] as const

const isRestricted = (video: Video) =>
  ways.some((way) => video[way]) || video.content_rule_profile_id !== null

const accessOf = (video: Video) =>
  Object.fromEntries(
    [...ways, ...terms].map((name) => [name, video[name]]).filter(([, value]) => value !== null),
  )

interface OpenCopyProps {
  readonly videoId: string
  readonly others: readonly string[]
}

/** Warns that everyone can watch this copy of a video that is not for everyone. */
function OpenCopy({ videoId, others }: OpenCopyProps) {
  const { client, channel } = useSession()
  const { settle } = useChangeVideos()
  const report = useUndoable()
  const { data } = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'same-file', videoId, ...others),
    queryFn: ({ signal }) =>
      client.videos.list({ id: [videoId, ...others], active: 'all', per_page: 100 }, { signal }),
  })
  const copy = data?.response.find(({ _id }) => _id === videoId)
  const original = data?.response.find((video) => video._id !== videoId && isRestricted(video))
  if (!copy || !original || isRestricted(copy)) return null
  const run = () =>
    settle(
      report(strings.accessCopied, (options) => client.videos.update(videoId, accessOf(original), options)),
    ).catch((error) => sayFailed(strings.failed, error))
  return (
    <Group gap="xs" mt="xs">
      <Text size="sm">{strings.open(original.title)}</Text>
      <Button size="compact-sm" leftSection={<Icon name="lock" size={14} />} onClick={() => void run()}>
        {strings.sameAccess}
      </Button>
    </Group>
  )
}

function RemoveThis({ videoId }: { readonly videoId: string }) {
  const { client } = useSession()
  const { settle } = useChangeVideos()
  const report = useUndoable()
  const run = () =>
    settle(report(strings.removed, (options) => client.videos.remove(videoId, options))).catch((error) =>
      sayFailed(strings.failed, error),
    )
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="trash" size={14} />}
      onClick={() => void run()}
    >
      {strings.remove}
    </Button>
  )
}
