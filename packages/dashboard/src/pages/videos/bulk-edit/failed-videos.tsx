import { Alert, List } from '@mantine/core'
import type { Video } from '../../../data/records.js'
import type { Failure } from '../../../data/send-writes.js'
import { Icon } from '../../../ui/icons.js'
import { explain } from '../../../ui/states.js'

const shownAtOnce = 100

interface FailedVideosProps {
  readonly title: string
  readonly failures: readonly Failure<Video>[]
}

/** The videos that cannot be changed, each with the reason. */
export const FailedVideos = ({ title, failures }: FailedVideosProps) =>
  failures.length > 0 && (
    <Alert color="red" variant="light" title={title} icon={<Icon name="warning" />}>
      <List size="sm">
        {failures.slice(0, shownAtOnce).map(({ item, error }) => (
          <List.Item key={item._id}>
            {item.title}: {explain(error).about}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
