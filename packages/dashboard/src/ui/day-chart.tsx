import { Text } from '@mantine/core'
import classes from './day-chart.module.css'

interface DayChartProps {
  /** The value of each day in order, with its label. */
  readonly days: readonly { readonly date: string; readonly value: number; readonly label: string }[]
  /** A summary of the chart for screen readers. */
  readonly label: string
}

const height = 80
const step = 10

/** A bar chart with one bar per day. */
export function DayChart({ days, label }: DayChartProps) {
  const most = Math.max(1, ...days.map(({ value }) => value))
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${days.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {days.map(({ date, value, label: said }, index) => {
        const tall = Math.max(1, (value / most) * (height - 4))
        return (
          <rect key={date} x={index * step + 1} y={height - tall} width={step - 2} height={tall} rx={1}>
            <title>{said}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** A number with its label. */
export const Figure = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <div>
    <Text fw={650} size="xl">
      {value}
    </Text>
    <Text c="dimmed" size="sm">
      {label}
    </Text>
  </div>
)
