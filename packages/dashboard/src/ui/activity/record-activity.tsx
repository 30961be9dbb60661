import { Text } from '@mantine/core'
import { Section } from '../section.js'
import { ActivityList } from './activity-list.js'
import { strings } from './strings.js'
import { useActivity } from './use-activity.js'

const shownAtOnce = 10

/** The events of one record, of any kind. */
export function RecordActivity({ id }: { readonly id: string }) {
  const activity = useActivity({ query: { record_id: id }, perPage: shownAtOnce, isLive: false })
  return (
    <Section title={strings.title} about={strings.recordAbout}>
      <ActivityList
        activity={activity}
        isOfRecord
        empty={
          <Text size="sm" c="dimmed">
            {strings.emptyRecord}
          </Text>
        }
      />
    </Section>
  )
}
