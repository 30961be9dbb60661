import { Alert } from '@mantine/core'
import { catalog, moment, planSwitches } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { readableTitle } from '../../ui/conflict/use-repeated-save.js'
import { Icon } from '../../ui/icons.js'
import { dateAndTime, timeZone } from '../../ui/numbers.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { same, type Values } from '../../ui/resource-form/values.js'
import { scheduleGroups } from './field-groups.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

/** When viewers see the video. */
export function ScheduleTab({ video, put }: TabProps) {
  const { client, mayEdit } = useSession()
  return (
    <ResourceForm
      resource={catalog.videos}
      words={videoWords}
      record={video}
      read={(options) => client.videos.get(video._id, options)}
      groups={scheduleGroups}
      isDisabled={!mayEdit}
      preview={(values) => <Outlook video={video} values={values} />}
      save={(changes, options) => client.videos.update(video._id, changes, options)}
      onSaved={put}
    />
  )
}

interface OutlookProps {
  readonly video: Video
  /** The values of the form, saved or not. */
  readonly values: Values
}

/** Whether viewers see the video after the values are saved, and what the schedule changes next. The server has the same rule. */
function outlookOf(video: Video, { active, enable_at, disable_at }: Values) {
  const isRescheduled = !same(enable_at, video.enable_at) || !same(disable_at, video.disable_at)
  const next = { active: video.active, enable_at: moment(enable_at), disable_at: moment(disable_at) }
  const given = active === video.active ? undefined : active === true
  const plan = planSwitches(next, isRescheduled, given, new Date())
  return { ...plan, isPublishedNext: plan.switches_at?.getTime() === next.enable_at?.getTime() }
}

function Outlook({ video, values }: OutlookProps) {
  const { active, switches_at, isPublishedNext } = outlookOf(video, values)
  const isSwitched = active !== video.active
  const state = active ? strings.schedule.seen : strings.schedule.unseen
  const when = switches_at && `${dateAndTime(switches_at.toISOString())} (${timeZone()})`
  return (
    <Alert
      color={isSwitched ? 'yellow' : 'gray'}
      variant="light"
      role="status"
      styles={readableTitle}
      icon={<Icon name={active ? 'eye' : 'hidden'} />}
      title={isSwitched ? strings.schedule.afterSaving(state) : state}
    >
      {isSwitched && <div>{active ? strings.schedule.putOn : strings.schedule.takenOff}</div>}
      {when && isPublishedNext && strings.schedule.appears(when)}
      {when && !isPublishedNext && strings.schedule.disappears(when)}
      {!when && strings.schedule.stays}
    </Alert>
  )
}
