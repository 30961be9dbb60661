import { Paper, Switch, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { labelOf } from '../../ui/labels.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { PageLayout } from '../../ui/page.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

type Formats = Entry<'formats'>

const names = Object.entries(catalog.formats.fields)
  .filter(([, field]) => !('computed' in field))
  .map(([name]) => name as keyof Formats)

/** Which formats the channel publishes, each with a switch. */
export function Page() {
  const { client, channel } = useSession()
  const formats = useQuery({
    queryKey: ['formats', channel._id],
    queryFn: ({ signal }) => client.formats.get({ signal }),
  })
  return (
    <PageLayout title={strings.title} about={strings.about} maw="52rem">
      <Loaded query={formats}>{(record) => <FormatTable formats={record} />}</Loaded>
    </PageLayout>
  )
}

function FormatTable({ formats }: { readonly formats: Formats }) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const queryKey = ['formats', channel._id]
  const change = useMutation({
    mutationFn: ({ name, isOn }: { name: keyof Formats; isOn: boolean }) =>
      client.formats.update({ [name]: isOn }),
    // Seen at once, and taken back if the server does not agree.
    onMutate: ({ name, isOn }) => queries.setQueryData(queryKey, { ...formats, [name]: isOn }),
    onSuccess: (record, { name, isOn }) => {
      queries.setQueryData(queryKey, record)
      sayDone(strings.changed(labelOf(name), isOn))
    },
    onError: (error, { name }) => {
      queries.setQueryData(queryKey, formats)
      sayFailed(strings.failed(labelOf(name)), error)
    },
  })
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.format}</Table.Th>
            <Table.Th visibleFrom="sm">{strings.size}</Table.Th>
            <Table.Th ta="right">{strings.published}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Td fw={500}>{labelOf(name)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Text c="dimmed" size="sm">
                  {catalog.formats.fields[name].about}
                </Text>
              </Table.Td>
              <Table.Td>
                <Switch
                  aria-label={labelOf(name)}
                  checked={formats[name] === true}
                  disabled={!mayEdit}
                  onChange={(event) => change.mutate({ name, isOn: event.currentTarget.checked })}
                  styles={{ body: { justifyContent: 'flex-end' } }}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}
