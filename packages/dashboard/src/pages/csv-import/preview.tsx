import { Button, Group, ScrollArea, Stack, Switch, Table, Text } from '@mantine/core'
import { videoWords } from '@zoetrope/contract/words/videos'
import { useState } from 'react'
import { wordsFor } from '../../ui/field-words.js'
import { Section } from '../../ui/section.js'
import type { PlannedRow } from './plan.js'
import { strings } from './strings.js'
import type { Target } from './targets.js'

const shownAtOnce = 50
const columnsAtOnce = 4

interface PreviewProps {
  readonly rows: readonly PlannedRow[]
  readonly targets: readonly Target[]
  onStart(): void
}

/** Previews the rows, and lists those that cannot be imported. */
export function Preview({ rows, targets, onStart }: PreviewProps) {
  const [isOnlyBad, setIsOnlyBad] = useState(false)
  const bad = rows.filter(({ problems }) => problems.length > 0)
  const shown = isOnlyBad ? bad : rows
  const columns = ['title', ...targets.filter((target) => target !== '' && target !== 'title')]
    .filter((target) => !target.includes(' '))
    .slice(0, columnsAtOnce)
  const good = rows.length - bad.length
  return (
    <Section title={strings.preview} about={strings.counts(good, bad.length)}>
      <Stack>
        {bad.length > 0 && (
          <Switch
            label={strings.onlyBad}
            checked={isOnlyBad}
            onChange={(event) => setIsOnlyBad(event.currentTarget.checked)}
          />
        )}
        <ScrollArea.Autosize mah="24rem" viewportProps={{ tabIndex: 0 }}>
          <Table miw="44rem">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="4.5rem">{strings.row}</Table.Th>
                {columns.map((column) => (
                  <Table.Th key={column}>{wordsFor(videoWords, column).label}</Table.Th>
                ))}
                <Table.Th>{strings.problems}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.slice(0, shownAtOnce).map(({ number, fields, problems }) => (
                <Table.Tr key={number}>
                  <Table.Td>{number}</Table.Td>
                  {columns.map((column) => (
                    <Table.Td key={column}>
                      <Text size="sm" lineClamp={2}>
                        {inWords(fields[column])}
                      </Text>
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <Text size="sm" c={problems.length > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
                      {problems.join(' ') || strings.fine}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
        {shown.length > shownAtOnce && (
          <Text size="sm" c="dimmed">
            {strings.shownFirst(shownAtOnce)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onStart} disabled={good === 0}>
            {strings.start(good)}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return value === undefined ? '' : String(value)
}
