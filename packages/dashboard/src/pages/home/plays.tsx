import { Group, Text } from '@mantine/core'
import type { Overview } from '@zoetrope/sdk'
import { Section } from '../../ui/section.js'
import classes from './home.module.css'
import { strings } from './strings.js'

const height = 80
const step = 10

const hours = (seconds: number) => (seconds / 3600).toLocaleString(undefined, { maximumFractionDigits: 1 })

/** Plays of the last four weeks, a bar a day, and their sums. */
export function Plays({ plays }: Pick<Overview, 'plays'>) {
  const { by_day: days, last_7_days: week } = plays
  const most = Math.max(1, ...days.map((day) => day.plays))
  return (
    <Section isCard title={strings.plays}>
      <Group gap="xl" mb="sm">
        <Figure value={week.plays.toLocaleString()} label={strings.playsWeek} />
        <Figure value={hours(week.watched_seconds)} label={strings.hoursWeek} />
      </Group>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={strings.chart(plays.last_28_days.plays)}
      >
        {days.map(({ date, plays: count }, index) => {
          const tall = Math.max(1, (count / most) * (height - 4))
          return (
            <rect key={date} x={index * step + 1} y={height - tall} width={step - 2} height={tall} rx={1}>
              <title>{strings.onDay(date, count)}</title>
            </rect>
          )
        })}
      </svg>
    </Section>
  )
}

const Figure = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <div>
    <Text fw={650} size="xl">
      {value}
    </Text>
    <Text c="dimmed" size="sm">
      {label}
    </Text>
  </div>
)
