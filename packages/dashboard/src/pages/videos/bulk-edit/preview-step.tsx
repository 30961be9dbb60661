import { Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { Video } from '../../../data/records.js'
import { dateAndTime } from '../../../ui/numbers.js'
import { filterLabel } from '../filter-words.js'
import { changesFor, type Edit, fieldOf, shownChanges } from './edits.js'
import { strings } from './strings.js'

const shownAtOnce = 50

function inWords(field: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (value === null || value === undefined || value === '') return strings.none
  if (Array.isArray(value)) return value.length === 0 ? strings.none : value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return fieldOf(field).kind === 'timestamp' ? dateAndTime(String(value)) : String(value)
}

interface PreviewProps {
  readonly videos: readonly Video[]
  readonly edits: readonly Edit[]
  onBack(): void
  onApply(videos: readonly Video[]): void
}

/** Previews the changes of each video. */
export function PreviewStep({ videos, edits, onBack, onApply }: PreviewProps) {
  const changing = useMemo(() => videos.filter((video) => changesFor(video, edits)), [videos, edits])
  return (
    <Stack>
      <Text>
        {changing.length === 0 ? strings.nothing : strings.willChange(changing.length, videos.length)}{' '}
        {changing.length > shownAtOnce && strings.shownFirst(shownAtOnce)}
      </Text>
      {changing.length > 0 && (
        <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: 0 }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{strings.video}</Table.Th>
                <Table.Th>{strings.now}</Table.Th>
                <Table.Th>{strings.after}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changing.slice(0, shownAtOnce).flatMap((video) =>
                shownChanges(video, edits).map(({ field, before, after }, index) => (
                  <Table.Tr key={`${video._id} ${field}`}>
                    <Table.Td>{index === 0 && <Text size="sm">{video.title}</Text>}</Table.Td>
                    <Table.Td>
                      <Text size="sm" c="dimmed">
                        {filterLabel(field)}: {inWords(field, before)}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Text size="sm">{inWords(field, after)}</Text>
                    </Table.Td>
                  </Table.Tr>
                )),
              )}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      )}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {strings.back}
        </Button>
        <Button disabled={changing.length === 0} onClick={() => onApply(changing)} data-autofocus>
          {strings.apply(changing.length)}
        </Button>
      </Group>
    </Stack>
  )
}
