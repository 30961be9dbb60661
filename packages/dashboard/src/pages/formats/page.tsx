import { Box, Paper, Switch, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { type ReactNode, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { tryChange } from '../../data/try-change.js'
import { labelOf } from '../../ui/labels.js'
import { sayFailed } from '../../ui/notices.js'
import { PageLayout } from '../../ui/page.js'
import { Loaded } from '../../ui/states.js'
import { useUndoable } from '../../ui/use-undoable.js'
import { ConfirmSwitch, isAsked } from './confirm-switch.js'
import { type Cost, EncodingCost, StorageCost } from './costs.js'
import { Stored } from './stored.js'
import { strings } from './strings.js'

type Formats = Entry<'formats'>

const names = Object.entries(catalog.formats.fields)
  .filter(([, field]) => !('computed' in field))
  .map(([name]) => name as keyof Formats)

/** The formats of the channel, each with a switch and its costs. */
export function Page() {
  const { client, channel } = useSession()
  const formats = useQuery({
    queryKey: keyOf('formats', channel._id, 'record'),
    queryFn: ({ signal }) => client.formats.get({ signal }),
  })
  const costs = useQuery({
    queryKey: keyOf('format-costs', channel._id),
    queryFn: ({ signal }) => client.format_costs.get({ signal }),
  })
  return (
    <PageLayout title={strings.title} about={strings.about} maw="62rem">
      <Loaded query={costs}>{(record) => <Stored costs={record} />}</Loaded>
      <Loaded query={formats}>
        {(record) => <FormatTable formats={record} costs={costs.data?.formats ?? []} />}
      </Loaded>
      <Text size="sm" c="dimmed">
        {strings.measured}
      </Text>
    </PageLayout>
  )
}

interface Wish {
  readonly name: keyof Formats
  readonly isOn: boolean
}

function FormatTable({ formats, costs }: { readonly formats: Formats; readonly costs: readonly Cost[] }) {
  const { mayEdit } = useSession()
  const [asked, ask] = useState<Wish>()
  const change = useChange()
  const costOf = (name: string) => costs.find(({ format }) => format === name)
  const slowest = Math.max(...costs.map((cost) => cost.encoding_seconds_per_minute ?? 0))
  const wish = (next: Wish) => (isAsked(costOf(next.name), next.isOn) ? ask(next) : change(next))
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.format}</Table.Th>
            <Table.Th visibleFrom="sm">{strings.storage}</Table.Th>
            <Table.Th visibleFrom="sm">{strings.encoding}</Table.Th>
            <Table.Th ta="right">{strings.published}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <FormatRow
              key={name}
              name={name}
              isOn={formats[name] === true}
              cost={costOf(name)}
              slowest={slowest}
              isFixed={!mayEdit}
              onSwitch={(isOn) => wish({ name, isOn })}
            />
          ))}
        </Table.Tbody>
      </Table>
      <ConfirmSwitch
        wish={asked && { label: labelOf(asked.name), isOn: asked.isOn, cost: costOf(asked.name) }}
        onCancel={() => ask(undefined)}
        onConfirm={() => {
          if (asked) change(asked)
          ask(undefined)
        }}
      />
    </Paper>
  )
}

interface RowProps {
  readonly name: keyof Formats
  readonly isOn: boolean
  readonly cost: Cost | undefined
  /** The longest encoding time per minute among the formats. It scales the bars. */
  readonly slowest: number
  readonly isFixed: boolean
  onSwitch(isOn: boolean): void
}

function FormatRow({ name, isOn, cost, slowest, isFixed, onSwitch }: RowProps) {
  const storage = cost && <StorageCost cost={cost} />
  const encoding = cost && <EncodingCost cost={cost} slowest={slowest} />
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{labelOf(name)}</Text>
        <Text c="dimmed" size="sm">
          {catalog.formats.fields[name].about}
        </Text>
        {/* A phone has no room beside it. */}
        <Text component="div" hiddenFrom="sm" mt="xs">
          {storage && <Labelled label={strings.storage}>{storage}</Labelled>}
          {encoding && <Labelled label={strings.encoding}>{encoding}</Labelled>}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{storage}</Table.Td>
      <Table.Td visibleFrom="sm">{encoding}</Table.Td>
      <Table.Td valign="top">
        <Switch
          aria-label={labelOf(name)}
          checked={isOn}
          disabled={isFixed}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
          styles={{ body: { justifyContent: 'flex-end' } }}
        />
      </Table.Td>
    </Table.Tr>
  )
}

const Labelled = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Box mb="xs">
    <Text size="sm" c="dimmed" fw={500}>
      {label}
    </Text>
    {children}
  </Box>
)

/** Switches a format. Several requests may run at once, so each one changes only its own field. */
function useChange(): (wish: Wish) => void {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const report = useUndoable()
  const queryKey = keyOf('formats', channel._id, 'record')
  const change = useMutation({
    mutationFn: ({ name, isOn }: Wish) =>
      report(strings.changed(labelOf(name), isOn), (options) =>
        client.formats.update({ [name]: isOn }, options),
      ),
    // Shown immediately, and reverted if the server refuses.
    onMutate: ({ name, isOn }) => tryChange<Formats>(queries, queryKey, { [name]: isOn }),
    onSuccess: (record, { name }) => {
      tryChange<Formats>(queries, queryKey, { [name]: record[name] })
      void queries.invalidateQueries({ queryKey: keyOf('format-costs', channel._id) })
    },
    onError: (error, { name }, takeBack) => {
      takeBack?.()
      sayFailed(strings.failed(labelOf(name)), error)
    },
  })
  return (wish) => change.mutate(wish)
}
