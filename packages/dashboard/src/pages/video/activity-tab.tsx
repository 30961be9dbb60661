import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSession } from '../../data/session.js'
import { RecordActivity } from '../../ui/activity/record-activity.js'
import { Icon } from '../../ui/icons.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import { Versions } from './versions.js'

/** What happened to the video, and below it, folded, its versions, which are kept for longer. */
export function ActivityTab(props: TabProps) {
  const { may } = useSession()
  const maySeeEvents = may(['events', 'list'])
  const [isOpen, { toggle }] = useDisclosure(!maySeeEvents)
  return (
    <Stack gap="lg" align="stretch">
      {maySeeEvents && <RecordActivity id={props.video._id} />}
      <div>
        <Button
          variant="default"
          aria-expanded={isOpen}
          leftSection={<Icon name={isOpen ? 'up' : 'down'} size={14} />}
          onClick={toggle}
        >
          {strings.history.title}
        </Button>
      </div>
      {isOpen && <Versions {...props} />}
    </Stack>
  )
}
