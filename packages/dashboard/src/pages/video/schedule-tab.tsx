import { Alert, Stack } from '@mantine/core'
import { catalog } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { dateAndTime } from '../../ui/numbers.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { scheduleGroups } from './field-groups.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

/** When viewers see the video. */
export function ScheduleTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  return (
    <Stack>
      <Alert
        color="gray"
        variant="light"
        icon={<Icon name={video.active ? 'eye' : 'hidden'} />}
        title={video.active ? strings.schedule.seen : strings.schedule.unseen}
      >
        {whatIsNext(video)}
      </Alert>
      <ResourceForm
        resource={catalog.videos}
        words={videoWords}
        record={video}
        read={(options) => client.videos.get(video._id, options)}
        groups={scheduleGroups}
        isDisabled={!mayEdit}
        save={(changes, options) => client.videos.update(video._id, changes, options)}
        onSaved={put}
      />
    </Stack>
  )
}

/** The next scheduled change. */
function whatIsNext({ active, enable_at, disable_at }: Video): string {
  const isAhead = (moment: string | null) => moment !== null && Date.parse(moment) > Date.now()
  if (!active && enable_at && isAhead(enable_at)) return strings.schedule.appears(dateAndTime(enable_at))
  if (active && disable_at && isAhead(disable_at)) return strings.schedule.disappears(dateAndTime(disable_at))
  return strings.schedule.stays
}
