import { ActionIcon, Anchor, Group, Paper, Table, Tabs, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CallOptions, Client } from '@zoetrope/sdk'
import type { ReactNode } from 'react'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { fromNow } from '../../ui/numbers.js'
import { Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

interface Part {
  readonly name: keyof typeof strings.parts
  list(client: Client, id: string, options: CallOptions): Promise<{ readonly response: readonly Plain[] }>
  readonly show: (record: Plain) => readonly ReactNode[]
  remove?(client: Client, id: string, recordId: string): Promise<unknown>
}

const time = (value: unknown) => (typeof value === 'string' ? fromNow(value) : '–')
const videoLink = (id: unknown, title?: unknown) => (
  <Anchor component={Link} to={`/videos/${id}`}>
    {String(title ?? id)}
  </Anchor>
)
const many = { per_page: 50 } as const

/** What belongs to a consumer, in the order in which people ask about it. */
const parts: readonly Part[] = [
  {
    name: 'subscriptions',
    list: (client, id, options) => client.subscriptions.list({ ...many, consumer_id: id }, options),
    show: ({ _id, plan_name, status, current_period_end_at }) => [
      <Anchor key="plan" component={Link} to={`/subscriptions/${_id}`}>
        {String(plan_name)}
      </Anchor>,
      String(status),
      time(current_period_end_at),
    ],
  },
  {
    name: 'transactions',
    list: (client, id, options) => client.transactions.list({ ...many, consumer_id: id }, options),
    show: ({ _id, transaction_type, amount, currency, created_at }) => [
      <Anchor key="what" component={Link} to={`/transactions/${_id}`}>
        {String(transaction_type)}
      </Anchor>,
      amount ? `${amount} ${currency}` : '–',
      time(created_at),
    ],
  },
  {
    name: 'entitlements',
    list: (client, id, options) => client.video_entitlements.list(id, many, options),
    show: ({ video_id, video_title, expires_at }) => [videoLink(video_id, video_title), time(expires_at)],
    remove: (client, id, recordId) => client.video_entitlements.remove(id, recordId),
  },
  {
    name: 'favourites',
    list: (client, id, options) => client.video_favorites.list(id, many, options),
    show: ({ video_id, created_at }) => [videoLink(video_id), time(created_at)],
    remove: (client, id, recordId) => client.video_favorites.remove(id, recordId),
  },
  {
    name: 'sessions',
    list: (client, id, options) => client.sessions.list(id, many, options),
    show: ({ app_title, ip, user_agent, refreshed_at }) => [
      String(app_title),
      String(ip ?? '–'),
      <Text key="program" size="sm" lineClamp={1}>
        {String(user_agent ?? '')}
      </Text>,
      time(refreshed_at),
    ],
    remove: (client, id, recordId) => client.sessions.remove(id, recordId),
  },
  {
    name: 'devices',
    list: (client, id, options) => client.linked_devices.list(id, many, options),
    show: ({ type, linked_device_id, linked_at }) => [
      String(type ?? strings.unknownDevice),
      String(linked_device_id),
      time(linked_at),
    ],
    remove: (client, id, recordId) => client.linked_devices.remove(id, recordId),
  },
]

export const PartsOfConsumer = ({ id }: { readonly id: string }) => (
  <Paper withBorder p="lg">
    <Tabs defaultValue={parts[0]?.name} keepMounted={false}>
      <Tabs.List mb="md">
        {parts.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {strings.parts[name].title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map((part) => (
        <Tabs.Panel key={part.name} value={part.name}>
          <PartList part={part} id={id} />
        </Tabs.Panel>
      ))}
    </Tabs>
  </Paper>
)

function PartList({ part, id }: { readonly part: Part; readonly id: string }) {
  const { client, channel, mayEdit } = useSession()
  const query = useQuery({
    queryKey: ['consumer-parts', channel._id, id, part.name],
    queryFn: ({ signal }) => part.list(client, id, { signal }),
  })
  const { columns, empty } = strings.parts[part.name]
  return (
    <Loaded query={query}>
      {({ response }) =>
        response.length === 0 ? (
          <Text c="dimmed">{empty}</Text>
        ) : (
          <Table.ScrollContainer minWidth={400} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  {columns.map((column) => (
                    <Table.Th key={column}>{column}</Table.Th>
                  ))}
                  {part.remove && mayEdit && <Table.Th w={1} aria-label={strings.remove} />}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {response.map((record) => (
                  <Table.Tr key={record._id}>
                    {part.show(record).map((shown, index) => (
                      <Table.Td key={columns[index]}>{shown}</Table.Td>
                    ))}
                    {part.remove && mayEdit && (
                      <Table.Td>
                        <RemovePart part={part} id={id} record={record} />
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  )
}

function RemovePart({
  part,
  id,
  record,
}: {
  readonly part: Part
  readonly id: string
  readonly record: Plain
}) {
  const { client } = useSession()
  const queries = useQueryClient()
  const removing = useMutation({
    mutationFn: async () => part.remove?.(client, id, record._id),
    onSuccess: async () => {
      sayDone(strings.removed)
      await queries.invalidateQueries({ queryKey: ['consumer-parts'] })
    },
    onError: (error) => sayFailed(strings.notRemoved, error),
  })
  return (
    <Group justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={removing.isPending}
        aria-label={`${strings.remove} ${record._id}`}
        onClick={() => removing.mutate()}
      >
        <Icon name="close" />
      </ActionIcon>
    </Group>
  )
}
