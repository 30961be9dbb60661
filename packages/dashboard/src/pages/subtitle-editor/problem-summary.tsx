import { Button, Group, Text } from '@mantine/core'
import { Icon } from '../../ui/icons.js'
import type { Lines } from './line-edits.js'
import type { LineProblem } from './line-problems.js'
import { strings } from './strings.js'

const kinds: readonly LineProblem[] = ['backwards', 'empty', 'overlap', 'fast']

interface ProblemSummaryProps {
  readonly lines: Lines
  readonly problems: ReadonlyMap<number, readonly LineProblem[]>
  readonly active: number | undefined
  onShow(key: number): void
}

/** How many lines have problems, and a button that goes from one to the next. */
export function ProblemSummary({ lines, problems, active, onShow }: ProblemSummaryProps) {
  if (problems.size === 0) return null
  const found = [...problems.values()].flat()
  const told = kinds
    .map((kind) => [kind, found.filter((each) => each === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => strings.counts[kind](count))
  const after = lines.findIndex(({ key }) => key === active)
  const isWrong = ({ key }: { readonly key: number }) => problems.has(key)
  const next = lines.slice(after + 1).find(isWrong) ?? lines.find(isWrong)
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" flex="1 1 12rem">
        <Icon name="warning" size={14} /> {told.join(' · ')}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => next && onShow(next.key)}>
        {strings.nextProblem}
      </Button>
    </Group>
  )
}
