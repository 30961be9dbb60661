import { Alert, Button, FileInput, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useCategories } from '../../data/categories.js'
import { Icon } from '../../ui/icons.js'
import { bytes } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { UnsavedGuard } from '../../ui/resource-form/unsaved-guard.js'
import { Section } from '../../ui/section.js'
import { explain, Loaded } from '../../ui/states.js'
import { limits, readTable, type Table, textOf } from './csv.js'
import { Mapping } from './mapping.js'
import { planRows } from './plan.js'
import { Preview } from './preview.js'
import { Result } from './result.js'
import { strings } from './strings.js'
import { type Category, guessTarget, type Target } from './targets.js'
import { type RunOptions, useRun } from './use-run.js'

interface Chosen {
  readonly name: string
  readonly table: Table
}

/** Imports rows of a spreadsheet as videos. */
export function Page() {
  const [chosen, setChosen] = useState<Chosen>()
  const categories = useCategories()
  return (
    <PageLayout
      title={strings.title}
      about={strings.about}
      parents={[{ label: strings.parent, to: '/videos' }]}
      maw="64rem"
    >
      <Loaded query={categories}>
        {({ response }) =>
          chosen ? (
            <Import
              key={chosen.name}
              {...chosen}
              categories={response}
              onOther={() => setChosen(undefined)}
            />
          ) : (
            <Choose onChosen={setChosen} />
          )
        }
      </Loaded>
    </PageLayout>
  )
}

async function read(file: File): Promise<Chosen> {
  if (file.size > limits.bytes) throw new Error(strings.tooLarge(bytes(limits.bytes)))
  return { name: file.name, table: readTable(textOf(new Uint8Array(await file.arrayBuffer()))) }
}

function Choose({ onChosen }: { onChosen(chosen: Chosen): void }) {
  const [problem, setProblem] = useState<string>()
  const [file, setFile] = useState<File | null>(null)
  const take = (file: File | null) => {
    setFile(file)
    setProblem(undefined)
    if (file) read(file).then(onChosen, (error: unknown) => setProblem(explain(error).about))
  }
  return (
    <Section>
      <FileInput
        label={strings.choose}
        description={strings.chooseAbout(limits.rows, bytes(limits.bytes))}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        placeholder={strings.noFile}
        leftSection={<Icon name="table" />}
        value={file}
        onChange={take}
        clearable
      />
      {problem && (
        <Alert color="red" variant="light" title={strings.unreadable} role="alert" mt="md">
          {problem}
        </Alert>
      )}
    </Section>
  )
}

interface ImportProps extends Chosen {
  readonly categories: readonly Category[]
  onOther(): void
}

function Import({ name, table, categories, onOther }: ImportProps) {
  const [targets, setTargets] = useState<readonly Target[]>(() => guessAll(table.columns, categories))
  const [options, setOptions] = useState<RunOptions>({ existing: 'skip', active: true })
  const run = useRun()
  const rows = useMemo(() => planRows(table.rows, targets, categories), [table, targets, categories])
  return (
    <>
      <UnsavedGuard
        isDirty={run.state === 'running'}
        title={strings.leave}
        about={strings.leaveAbout}
        leave={strings.leaveNow}
      />
      <Group justify="space-between">
        <Text fw={600}>{strings.file(name, table.rows.length)}</Text>
        {run.state !== 'running' && (
          <Button variant="default" onClick={onOther}>
            {strings.otherFile}
          </Button>
        )}
      </Group>
      {run.state === 'idle' ? (
        <>
          <Mapping
            table={table}
            targets={targets}
            categories={categories}
            options={options}
            onTargets={setTargets}
            onOptions={setOptions}
          />
          <Preview
            rows={rows}
            targets={targets}
            onStart={() =>
              void run.start(
                rows.filter(({ problems }) => problems.length === 0),
                options,
                rows
                  .filter(({ problems }) => problems.length > 0)
                  .map((row) => ({ row, outcome: 'failed', problem: row.problems.join(' ') })),
              )
            }
          />
        </>
      ) : (
        <Result run={run} table={table} options={options} name={name} />
      )}
    </>
  )
}

/** Guesses the target of each column, and uses each target once. */
function guessAll(columns: readonly string[], categories: readonly Category[]): readonly Target[] {
  const guessed = columns.map((column) => guessTarget(column, categories))
  return guessed.map((target, index) => (guessed.indexOf(target) === index ? target : ''))
}
