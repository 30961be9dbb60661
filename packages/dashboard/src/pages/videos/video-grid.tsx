import { Checkbox, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { fromNow } from '../../ui/numbers.js'
import { Poster } from '../../ui/poster.js'
import type { Selection } from '../../ui/resource-table/use-selection.js'
import { VideoStatus } from '../../ui/video-status.js'
import { strings } from './strings.js'
import type { Bulk } from './use-bulk.js'
import { VideoMenu } from './video-menu.js'
import classes from './videos.module.css'

interface VideoGridProps {
  readonly videos: readonly Video[]
  readonly selection: Selection
  readonly bulk: Bulk
}

/** The videos as pictures. */
export function VideoGrid({ videos, selection, bulk }: VideoGridProps) {
  const { mayEdit } = useSession()
  return (
    <ul className={classes.grid}>
      {videos.map((video) => (
        <li
          key={video._id}
          className={classes.card}
          data-selected={selection.ids.has(video._id) || undefined}
        >
          <Link to={`/videos/${video._id}`} className={classes.link}>
            <Poster video={video} />
            <Text fw={600} lineClamp={2} mt="xs">
              {video.title}
            </Text>
          </Link>
          {mayEdit && (
            <Checkbox
              className={classes.tick}
              aria-label={strings.select(video.title)}
              checked={selection.ids.has(video._id)}
              onChange={(event) => selection.toggle(video._id, event.currentTarget.checked)}
            />
          )}
          <Group justify="space-between" wrap="nowrap" gap="xs" mt={6}>
            <VideoStatus video={video} />
            <Group gap={4} wrap="nowrap">
              <Text size="xs" c="dimmed" className={classes.when}>
                {fromNow(video.created_at)}
              </Text>
              {mayEdit && <VideoMenu video={video} bulk={bulk} />}
            </Group>
          </Group>
        </li>
      ))}
    </ul>
  )
}
