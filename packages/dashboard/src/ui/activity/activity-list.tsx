import { Button, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../icons.js'
import { dayHeading } from '../numbers.js'
import { Loaded } from '../states.js'
import { useNow } from '../use-now.js'
import classes from './activity.module.css'
import { type ActivityEvent, verbOf } from './event-kinds.js'
import { EventRow } from './event-row.js'
import { strings } from './strings.js'
import type { useActivity } from './use-activity.js'

interface ActivityListProps {
  readonly activity: ReturnType<typeof useActivity>
  /** The names of team members, by id. */
  readonly members?: ReadonlyMap<string, string>
  /** Shown if there are no events. */
  readonly empty: ReactNode
  /** Whether it is part of the page of a record. */
  readonly isOfRecord?: boolean
}

const nobody: ReadonlyMap<string, string> = new Map()

/** Events by day, newest first. */
export function ActivityList({ activity, members = nobody, empty, isOfRecord = false }: ActivityListProps) {
  const { list, events, news, showNews } = activity
  const now = useNow()
  const gone = goneRecords(events)
  const undone = new Set(events.map(({ undoes }) => undoes))
  return (
    <Loaded query={list}>
      {() => (
        <Stack gap="md">
          {!isOfRecord && <News count={news.length} onShow={showNews} />}
          {events.length === 0 && empty}
          {byDay(events, now).map(({ day, events: ofDay }) => (
            <section key={day} aria-label={day}>
              <Title order={isOfRecord ? 3 : 2} size="h6" mb={4}>
                {day}
              </Title>
              <Paper withBorder component="ol" className={classes.events}>
                {ofDay.map((event) => (
                  <EventRow
                    key={event._id}
                    event={event}
                    members={members}
                    isGone={gone.has(event.record_id)}
                    isUndone={undone.has(event._id)}
                    isHere={isOfRecord}
                  />
                ))}
              </Paper>
            </section>
          ))}
          {list.hasNextPage && (
            <Button
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {strings.more}
            </Button>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface NewsProps {
  readonly count: number
  onShow(): void
}

/** Says that new events have arrived. The list moves only when the user asks for them. */
const News = ({ count, onShow }: NewsProps) => (
  <div role="status">
    {count > 0 && (
      <Button variant="light" size="xs" leftSection={<Icon name="up" size={14} />} onClick={onShow}>
        {strings.news(count)}
      </Button>
    )}
  </div>
)

function byDay(events: readonly ActivityEvent[], now: number) {
  const days = new Map<string, ActivityEvent[]>()
  for (const event of events) {
    const day = dayHeading(event.created_at, now)
    days.set(day, [...(days.get(day) ?? []), event])
  }
  return [...days].map(([day, ofDay]) => ({ day, events: ofDay }))
}

/** The records whose newest event is their deletion. */
function goneRecords(events: readonly ActivityEvent[]): ReadonlySet<string | null> {
  const newest = new Map<string | null, ActivityEvent>()
  for (const event of events) if (!newest.has(event.record_id)) newest.set(event.record_id, event)
  const isEnd = (event: ActivityEvent) => ['deleted', 'purged'].includes(verbOf(event))
  return new Set([...newest].filter(([, event]) => isEnd(event)).map(([id]) => id))
}
