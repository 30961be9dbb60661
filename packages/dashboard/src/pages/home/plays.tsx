import type { Overview } from '@zoetrope/sdk'
import { DayChart, Figure } from '../../ui/day-chart.js'
import { span } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

type Played = Pick<Overview, 'plays'>

/** Plays of the last 28 days, one bar per day, with the totals of the last 7 and 28 days. */
export const Plays = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.plays}>
    <Figure value={last_7_days.plays.toLocaleString()} label={strings.playsWeek} />
    <DayChart
      label={strings.chart(last_28_days.plays)}
      days={by_day.map(({ date, plays: value }) => ({ date, value, label: strings.onDay(date, value) }))}
    />
  </Section>
)

/** The same for the time watched. */
export const WatchTime = ({ plays: { by_day, last_7_days, last_28_days } }: Played) => (
  <Section isCard title={strings.watchTime}>
    <Figure value={span(last_7_days.watched_seconds)} label={strings.watchedWeek} />
    <DayChart
      label={strings.watchChart(span(last_28_days.watched_seconds))}
      days={by_day.map(({ date, watched_seconds: value }) => ({
        date,
        value,
        label: strings.watchedOn(date, span(value)),
      }))}
    />
  </Section>
)
