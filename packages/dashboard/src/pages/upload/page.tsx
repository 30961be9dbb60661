import { Alert, Stack, Switch, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { droppedFiles } from '../../data/dropped-files.js'
import { keyOf } from '../../data/keys.js'
import { addFiles } from '../../data/send-files.js'
import { useSession } from '../../data/session.js'
import { useUploads } from '../../data/upload-list.js'
import { Icon } from '../../ui/icons.js'
import { Interrupted } from '../../ui/interrupted/interrupted.js'
import { PageLayout } from '../../ui/page.js'
import { PlainList } from '../../ui/plain-list.js'
import { DropFilms } from './drop-films.js'
import { sortOut } from './dropped-files.js'
import { FileRow } from './file-row.js'
import { Imports } from './imports.js'
import { countOutcomes, outcomeAmong } from './outcome.js'
import { strings } from './strings.js'
import { useFollowed } from './use-followed.js'

/** Uploads or imports films as new videos. With `video_id` in the address, it replaces the film of that video. */
export function Page() {
  const session = useSession()
  const queries = useQueryClient()
  const uploads = useUploads()
  const { video_id: videoId } = useSearch({ strict: false }) as { video_id?: string }
  const [active, setActive] = useState(true)
  const [refused, setRefused] = useState<readonly File[]>([])
  const videos = useFollowed(uploads)
  const { done, playable, failed } = countOutcomes(uploads, videos)
  useEffect(() => {
    if (done + playable + failed > 0) void queries.invalidateQueries({ queryKey: keyOf('videos') })
  }, [done, playable, failed, queries])
  const take = (files: readonly File[]) => {
    const sorted = sortOut(files)
    setRefused(sorted.refused)
    const taken = videoId ? sorted.taken.slice(0, 1) : sorted.taken
    addFiles(session, taken, { active, ...(videoId ? { videoId } : {}) })
  }
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const takeDropped = () => {
      const files = droppedFiles.take()
      if (files.length > 0) latest.current(files)
    }
    takeDropped()
    return droppedFiles.subscribe(takeDropped)
  }, [])
  return (
    <PageLayout
      title={videoId ? strings.replaceTitle : strings.title}
      parents={[{ label: strings.parent, to: videoId ? `/videos/${videoId}` : '/videos' }]}
      maw="60rem"
    >
      <DropFilms isReplacing={videoId !== undefined} onFiles={take} />
      {refused.length > 0 && <Refused files={refused} onClose={() => setRefused([])} />}
      {!videoId && (
        <Switch
          label={strings.publish}
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      )}
      {uploads.length > 0 && (
        <Stack component="section" gap="sm" aria-label={strings.files}>
          <div>
            <Title order={2} size="h4">
              {strings.files}
            </Title>
            <Text c="dimmed" size="sm" role="status">
              {[
                done === uploads.length ? strings.allDone : strings.going(done, uploads.length),
                ...(playable > 0 ? [strings.playing(playable, uploads.length)] : []),
                ...(failed > 0 ? [strings.failing(failed)] : []),
              ].join(' · ')}
            </Text>
          </div>
          <PlainList>
            {uploads.map((item) => (
              <FileRow
                key={item.id}
                item={item}
                video={videos.get(item.videoId ?? '')}
                outcome={outcomeAmong(item, uploads, videos)}
              />
            ))}
          </PlainList>
        </Stack>
      )}
      <Interrupted />
      {!videoId && <Imports />}
    </PageLayout>
  )
}

const mostNamed = 5

interface RefusedProps {
  readonly files: readonly File[]
  onClose(): void
}

/** Lists the files that cannot become a video, and says why. */
const Refused = ({ files, onClose }: RefusedProps) => (
  <Alert
    color="yellow"
    variant="light"
    role="alert"
    icon={<Icon name="warning" />}
    title={strings.refusedTitle(files.length)}
    withCloseButton
    closeButtonLabel={strings.close}
    onClose={onClose}
  >
    {strings.refused(
      files.slice(0, mostNamed).map(({ name }) => name),
      files.length - mostNamed,
    )}
  </Alert>
)
