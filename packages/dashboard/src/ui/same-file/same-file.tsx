import { Alert, Anchor, Button, Group } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useChangeVideos } from '../../data/change-videos.js'
import { keyOf } from '../../data/keys.js'
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
