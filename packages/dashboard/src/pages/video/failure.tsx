import { Alert, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { uploadSearch } from '../../ui/define-search.js'
import { Warning } from '../../ui/facts.js'
import { Icon } from '../../ui/icons.js'
import { strings } from './strings.js'

interface FailureProps {
  readonly video: Video
  onChanged(video: Video): void
}

function titleOf({ status, status_reason }: Video): string {
  if (status === 'failed') return strings.failure.film
  return status_reason === null ? strings.failure.formats : strings.failure.newFilm
}

/** Whether its film, or a new film for it, is still being processed: then a reason says what it waits for. */
const isUnderWay = ({ status, data_sources }: Video): boolean =>
  status === 'processing' ||
  status === 'uploading' ||
  data_sources.some((source) => source.status === 'processing')

/** What a film waits for, or why a film, a new film or some formats could not be made, and what to do about it. */
export function Failure({ video, onChanged }: FailureProps) {
  const { client, mayEdit } = useSession()
  if (video.status_reason !== null && isUnderWay(video)) return <Warning>{video.status_reason}</Warning>
  const hasFailed =
    video.status === 'failed' ||
    video.status_reason !== null ||
    video.renditions.some(({ status }) => status === 'failed')
  if (!hasFailed) return null
  return (
    <Alert color="red" variant="light" role="alert" icon={<Icon name="warning" />} title={titleOf(video)}>
      {video.status_reason}
      {mayEdit && (
        <Group gap="xs" mt="sm">
          <ActionButton
            icon="again"
            run={async () => onChanged(await client.videos.retry(video._id))}
            done={strings.retried}
            failed={strings.failed}
            stale={[]}
          >
            {strings.retry}
          </ActionButton>
          <Button
            variant="default"
            leftSection={<Icon name="upload" />}
            renderRoot={(props) => (
              <Link to="/upload" search={uploadSearch.to({ video_id: video._id })} {...props} />
            )}
          >
            {strings.replace}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
