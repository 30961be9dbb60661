import { Anchor, Button, Group, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.js'
import { whole } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { type Table as Csv, writeTable } from './csv.js'
import { strings } from './strings.js'
import type { Outcome, RowResult, Run, RunOptions } from './use-run.js'

const shownAtOnce = 100
const outcomes = Object.keys(strings.results) as Outcome[]

interface ResultProps {
  readonly run: Run
  readonly table: Csv
  readonly options: RunOptions
  readonly name: string
}

/** Downloads a text as a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Shows the progress, then the result of each row. */
export function Result({ run, table, options, name }: ResultProps) {
  const { results, all, state } = run
  const of = (outcome: Outcome) => results.filter((result) => result.outcome === outcome)
  const failed = of('failed')
  const open = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'left')
  // Rows with problems in the file would fail again.
  const again = open.filter(({ row }) => row.problems.length === 0)
  const stem = name.replace(/\.\w+$/, '')
  const byRow = (a: RowResult, b: RowResult) => a.row.number - b.row.number
  const saveFailed = () =>
    save(
      `${stem}-failed.csv`,
      writeTable(
        [
          [...table.columns, 'problem'],
          ...[...open]
            .sort(byRow)
            .map(({ row, problem, outcome }) => [
              ...table.columns.map((_, index) => row.cells[index] ?? ''),
              problem ?? strings.results[outcome],
            ]),
        ],
        table.separator,
      ),
    )
  const saveAll = () =>
    save(
      `${stem}-report.csv`,
      writeTable(
        [
          ['row', 'source_id', 'title', 'result', 'video_id', 'problem'],
          ...[...results]
            .sort(byRow)
            .map(({ row, outcome, videoId, problem }) => [
              ...[String(row.number), row.key, String(row.fields.title ?? ''), outcome],
              ...[videoId ?? '', problem ?? ''],
            ]),
        ],
        table.separator,
      ),
    )
  return (
    <Section title={state === 'running' ? strings.running : strings.result}>
      <Stack>
        <Text role="status">{strings.working(results.length, all)}</Text>
        {state === 'running' && (
          <Group wrap="nowrap">
            <Progress
              value={(100 * results.length) / Math.max(1, all)}
              flex={1}
              aria-label={strings.running}
            />
            <Button variant="default" onClick={run.stop}>
              {strings.stop}
            </Button>
          </Group>
        )}
        <Group gap="xl">
          {outcomes.map((outcome) => (
            <div key={outcome}>
              <Text size="sm" c="dimmed">
                {strings.results[outcome]}
              </Text>
              <Text fw={650} size="xl">
                {whole(of(outcome).length)}
              </Text>
            </div>
          ))}
        </Group>
        {failed.length > 0 && (
          <ScrollArea.Autosize mah="20rem" viewportProps={{ tabIndex: 0 }}>
            <Table aria-label={strings.failedRows}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w="4.5rem">{strings.row}</Table.Th>
                  <Table.Th>{strings.problems}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {[...failed]
                  .sort(byRow)
                  .slice(0, shownAtOnce)
                  .map(({ row, problem }) => (
                    <Table.Tr key={row.number}>
                      <Table.Td>{row.number}</Table.Td>
                      <Table.Td>{problem}</Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        )}
        {state === 'done' && (
          <Group>
            {again.length > 0 && (
              <Button
                onClick={() =>
                  void run.start(
                    again.map(({ row }) => row),
                    options,
                    results.filter((result) => !again.includes(result)),
                  )
                }
              >
                {of('left').length > 0 ? strings.goOn : strings.again}
              </Button>
            )}
            {open.length > 0 && (
              <Button variant="default" leftSection={<Icon name="table" />} onClick={saveFailed}>
                {strings.download}
              </Button>
            )}
            <Button variant="default" onClick={saveAll}>
              {strings.downloadAll}
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/videos" {...props} />}>
              {strings.toVideos}
            </Button>
          </Group>
        )}
        {state === 'done' && <Films results={results} />}
      </Stack>
    </Section>
  )
}

/** Says what happens with the files of new and updated videos, if the table has addresses of files. */
function Films({ results }: Pick<Run, 'results'>) {
  const taken = results.filter(({ outcome }) => outcome === 'made' || outcome === 'updated')
  const isNew = taken.some(({ outcome }) => outcome === 'made')
  if (taken.some(({ row }) => row.fields.source_url !== undefined))
    return (
      <Text size="sm" c="dimmed">
        {strings.films}{' '}
        <Anchor component={Link} to="/upload">
          {strings.toUpload}
        </Anchor>
      </Text>
    )
  return (
    isNew && (
      <Text size="sm" c="dimmed">
        {strings.noFilms}
      </Text>
    )
  )
}
