import { Alert, NativeSelect, Radio, Stack, Switch, Table, Text } from '@mantine/core'
import { videoWords } from '@zoetrope/contract/words/videos'
import { wordsFor } from '../../ui/field-words.js'
import { Section } from '../../ui/section.js'
import type { Table as Csv } from './csv.js'
import { strings } from './strings.js'
import { type Category, fieldTargets, nameOfTarget, type Target } from './targets.js'
import type { RunOptions } from './use-run.js'

interface MappingProps {
  readonly table: Csv
  readonly targets: readonly Target[]
  readonly categories: readonly Category[]
  readonly options: RunOptions
  onTargets(targets: readonly Target[]): void
  onOptions(options: RunOptions): void
}

const fields = fieldTargets
  .map((value) => ({ value, label: wordsFor(videoWords, value).label }))
  .sort((a, b) => a.label.localeCompare(b.label))

/** What each column becomes, and what happens to rows that were imported before. */
export function Mapping({ table, targets, categories, options, onTargets, onOptions }: MappingProps) {
  const twice = targets.find((target, index) => target !== '' && targets.indexOf(target) !== index)
  const put = (index: number, target: Target) =>
    onTargets(targets.map((old, at) => (at === index ? target : old)))
  const choices = (column: string) => [
    { value: '', label: strings.unused },
    { group: strings.groups.fields, items: fields },
    {
      group: strings.groups.categories,
      items: categories.map(({ _id, title }) => ({ value: `category ${_id}`, label: title })),
    },
    {
      group: strings.groups.custom,
      items: [{ value: `custom ${column}`, label: strings.custom(column) }],
    },
  ]
  return (
    <Section title={strings.mapping} about={strings.mappingAbout}>
      <Stack>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{strings.column}</Table.Th>
              <Table.Th visibleFrom="sm">{strings.example}</Table.Th>
              <Table.Th>{strings.becomes}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name, and never move
              <Table.Tr key={index}>
                <Table.Td>{column}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed" lineClamp={1}>
                    {table.rows.find((row) => row[index])?.[index]}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <NativeSelect
                    aria-label={strings.becomesOf(column)}
                    data={choices(column)}
                    value={targets[index]}
                    onChange={(event) => put(index, event.currentTarget.value)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {twice && (
          <Alert color="yellow" variant="light">
            {strings.twice(nameOfTarget(twice, categories))}
          </Alert>
        )}
        <Radio.Group
          label={strings.key}
          description={strings.keyAbout}
          value={options.existing}
          onChange={(value) => onOptions({ ...options, existing: value as RunOptions['existing'] })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="skip" label={strings.existing.skip} />
            <Radio value="update" label={strings.existing.update} />
          </Stack>
        </Radio.Group>
        {!targets.includes('active') && (
          <Switch
            label={strings.publish}
            checked={options.active}
            onChange={(event) => onOptions({ ...options, active: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Section>
  )
}
