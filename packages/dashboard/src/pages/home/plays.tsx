import { Group } from '@mantine/core'
import type { Overview } from '@zoetrope/sdk'
import { DayChart, Figure } from '../../ui/day-chart.js'
import { hours } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

/** Plays of the last four weeks, a bar a day, and their sums. */
export function Plays({ plays }: Pick<Overview, 'plays'>) {
  const { by_day: days, last_7_days: week } = plays
  return (
    <Section isCard title={strings.plays}>
      <Group gap="xl" mb="sm">
        <Figure value={week.plays.toLocaleString()} label={strings.playsWeek} />
        <Figure value={hours(week.watched_seconds)} label={strings.hoursWeek} />
      </Group>
      <DayChart
        label={strings.chart(plays.last_28_days.plays)}
        days={days.map(({ date, plays: value }) => ({ date, value, label: strings.onDay(date, value) }))}
      />
    </Section>
  )
}
