import { Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { DayChart, Figure } from '../../ui/day-chart.js'
import { labelOf } from '../../ui/labels.js'
import { percent, span as timeSpan, whole } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { Empty, Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

type Played = Pick<Entry<'plays'>, 'date' | 'device' | 'plays' | 'finished' | 'watched_seconds'>

const dayMs = 86_400_000
const spans = [7, 28, 90] as const
const dayOf = (moment: string) => moment.slice(0, 10)

/** The last days in UTC, ending with today. */
const lastDays = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    dayOf(new Date(Date.now() - (count - 1 - index) * dayMs).toISOString()),
  )

const sum = (rows: readonly Played[], of: 'plays' | 'finished' | 'watched_seconds') =>
  rows.reduce((total, row) => total + row[of], 0)

/** How much the video was watched. */
export function StatisticsTab({ video }: TabProps) {
  const { client, channel } = useSession()
  const [span, setSpan] = useState<number>(28)
  const days = lastDays(span)
  const plays = useQuery({
    queryKey: keyOf('plays', channel._id, 'list', video._id, days[0]),
    queryFn: async ({ signal }) => {
      const rows: Played[] = []
      const query = { video_id: video._id, 'date.gte': days[0], per_page: 100 }
      for await (const row of client.plays.all(query, { signal })) rows.push(row)
      return rows
    },
    placeholderData: (before) => before,
  })
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{strings.statistics.about}</Text>
        <SegmentedControl
          aria-label={strings.statistics.span}
          data={spans.map((count) => ({ value: String(count), label: strings.statistics.days(count) }))}
          value={String(span)}
          onChange={(value) => setSpan(Number(value))}
        />
      </Group>
      <Loaded query={plays} waiting={<Waiting rows={3} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="chart" title={strings.statistics.empty} about={strings.statistics.emptyAbout} />
          ) : (
            <Sums rows={rows} days={days} />
          )
        }
      </Loaded>
    </Stack>
  )
}

function Sums({ rows, days }: { readonly rows: readonly Played[]; readonly days: readonly string[] }) {
  const total = sum(rows, 'plays')
  const ofDay = (day: string) => rows.filter(({ date }) => dayOf(date) === day)
  const perDay = (of: 'plays' | 'watched_seconds', words: (day: string, value: number) => string) =>
    days.map((date) => {
      const value = sum(ofDay(date), of)
      return { date, value, label: words(date, value) }
    })
  const watched = sum(rows, 'watched_seconds')
  return (
    <>
      <Section isCard title={strings.statistics.plays}>
        <Group gap="xl" mb="sm">
          <Figure value={whole(total)} label={strings.statistics.played(total)} />
          <Figure value={share(sum(rows, 'finished'), total)} label={strings.statistics.finished} />
        </Group>
        <DayChart
          label={strings.statistics.playsChart(total)}
          days={perDay('plays', strings.statistics.playsOn)}
        />
      </Section>
      <Section isCard title={strings.statistics.watched}>
        <Group gap="xl" mb="sm">
          <Figure value={timeSpan(watched)} label={strings.statistics.watchedInAll} />
          <Figure value={timeSpan(total === 0 ? 0 : watched / total)} label={strings.statistics.each} />
        </Group>
        <DayChart
          label={strings.statistics.watchedChart(timeSpan(watched))}
          days={perDay('watched_seconds', (day, seconds) =>
            strings.statistics.watchedOn(day, timeSpan(seconds)),
          )}
        />
      </Section>
      <Section isCard title={strings.statistics.devices}>
        <Stack gap="xs">
          {[...new Set(rows.map(({ device }) => device))].map((device) => {
            const count = sum(
              rows.filter((row) => row.device === device),
              'plays',
            )
            return (
              <div key={device}>
                <Group justify="space-between">
                  <Text size="sm">{labelOf(device)}</Text>
                  <Text size="sm" c="dimmed">
                    {share(count, total)}
                  </Text>
                </Group>
                <Progress value={total === 0 ? 0 : (count / total) * 100} aria-label={labelOf(device)} />
              </div>
            )
          })}
        </Stack>
      </Section>
    </>
  )
}

const share = (part: number, all: number) => percent(all === 0 ? 0 : part / all)
