import { Text } from '@mantine/core'
import { strings } from './strings.js'

interface BeyondProps {
  readonly count: number
  readonly reach: number
}

/** Shown below a list that is longer than a browser can draw. */
export const Beyond = ({ count, reach }: BeyondProps) =>
  reach < count && (
    <Text c="dimmed" ta="center">
      {strings.beyond(reach, count)}
    </Text>
  )
