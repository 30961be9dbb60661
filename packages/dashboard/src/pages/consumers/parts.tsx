import { Anchor, Button, Group, Paper, Table, Tabs, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { subscriptionWords, transactionWords } from '@zoetrope/contract/words/payments'
import type { CallOptions, Client, Page } from '@zoetrope/sdk'
import type { ComponentType, ReactNode } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Plain } from '../../data/plain.js'
import { useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { optionLabel } from '../../ui/field-words.js'
import { money } from '../../ui/numbers.js'
import { RemoveButton } from '../../ui/remove-button.js'
import { Loaded } from '../../ui/states.js'
import { GiveSubscription } from './give-subscription.js'
import { strings } from './strings.js'

/** The page of a list to request: its size and its cursor. */
interface Asked {
  readonly per_page: number
  readonly cursor: string
}

interface Part {
  readonly name: keyof typeof strings.parts
  list(client: Client, id: string, asked: Asked, options: CallOptions): Promise<Page<Plain>>
  /** The display name of a record. */
  readonly call: (record: Plain) => string
  readonly show: (record: Plain) => readonly ReactNode[]
  remove?(client: Client, id: string, recordId: string, options: CallOptions): Promise<unknown>
  /** A button that adds one. */
  readonly Add?: ComponentType<{ readonly consumerId: string }>
}

const time = (value: unknown) => (typeof value === 'string' ? <Ago at={value} /> : '–')
const typeOf = (type: unknown) => optionLabel(transactionWords, 'transaction_type', type)
const link = (address: string, text: string) => (
  <Anchor key="link" component={Link} to={address}>
    {text}
  </Anchor>
)
const perPage = 50

const titleIn = (details: unknown) => (details as { readonly title?: string } | null)?.title
const videoOf = ({ video_title, video_details, video_id }: Plain) =>
  String(video_title ?? titleIn(video_details) ?? video_id)
const playlistOf = ({ playlist_title, playlist_id }: Plain) => String(playlist_title ?? playlist_id)
const deviceOf = ({ type }: Plain) => String(type ?? strings.unknownDevice)

/** The lists that belong to a consumer, most requested first. */
const parts: readonly Part[] = [
  {
    name: 'subscriptions',
    list: (client, id, asked, options) => client.subscriptions.list({ ...asked, consumer_id: id }, options),
    call: ({ plan_name }) => String(plan_name),
    show: ({ _id, plan_name, status, current_period_end_at }) => [
      link(`/subscriptions/${_id}`, String(plan_name)),
      optionLabel(subscriptionWords, 'status', status),
      current_period_end_at === null ? strings.noEnd : time(current_period_end_at),
    ],
    Add: GiveSubscription,
  },
  {
    name: 'transactions',
    list: (client, id, asked, options) => client.transactions.list({ ...asked, consumer_id: id }, options),
    call: ({ transaction_type }) => typeOf(transaction_type),
    show: ({ _id, transaction_type, amount, currency, created_at }) => [
      link(`/transactions/${_id}`, typeOf(transaction_type)),
      amount ? money(String(amount), String(currency)) : '–',
      time(created_at),
    ],
  },
  {
    name: 'entitlements',
    list: (client, id, asked, options) => client.video_entitlements.list(id, asked, options),
    call: videoOf,
    show: (record) => [link(`/videos/${record.video_id}`, videoOf(record)), time(record.expires_at)],
    remove: (client, id, recordId, options) => client.video_entitlements.remove(id, recordId, options),
  },
  {
    name: 'playlists',
    list: (client, id, asked, options) => client.playlist_entitlements.list(id, asked, options),
    call: playlistOf,
    show: (record) => [link(`/playlists/${record.playlist_id}`, playlistOf(record)), time(record.expires_at)],
    remove: (client, id, recordId, options) => client.playlist_entitlements.remove(id, recordId, options),
  },
  {
    name: 'favourites',
    list: (client, id, asked, options) =>
      client.video_favorites.list(id, { ...asked, details: true }, options),
    call: videoOf,
    show: (record) => [link(`/videos/${record.video_id}`, videoOf(record)), time(record.created_at)],
    remove: (client, id, recordId, options) => client.video_favorites.remove(id, recordId, options),
  },
  {
    name: 'sessions',
    list: (client, id, asked, options) => client.sessions.list(id, asked, options),
    call: ({ app_title }) => String(app_title),
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
    list: (client, id, asked, options) => client.linked_devices.list(id, asked, options),
    call: deviceOf,
    show: (record) => [deviceOf(record), String(record.linked_device_id), time(record.linked_at)],
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
  const query = useInfiniteQuery({
    queryKey: keyOf('consumer-parts', channel._id, 'list', id, part.name),
    queryFn: ({ signal, pageParam }) =>
      part.list(client, id, { per_page: perPage, cursor: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <PartTable part={part} id={id} records={pages.flatMap(({ response }) => response)} />
          {part.Add && mayEdit && <part.Add consumerId={id} />}
          {query.hasNextPage && (
            <Button
              variant="default"
              mt="md"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {strings.showMore}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

interface PartTableProps {
  readonly part: Part
  readonly id: string
  readonly records: readonly Plain[]
}

function PartTable({ part, id, records }: PartTableProps) {
  const { mayEdit } = useSession()
  const { columns, empty } = strings.parts[part.name]
  if (records.length === 0) return <Text c="dimmed">{empty}</Text>
  return (
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
          {records.map((record) => (
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

interface RemovePartProps {
  readonly part: Part
  readonly id: string
  readonly record: Plain
}

function RemovePart({ part, id, record }: RemovePartProps) {
  const { client } = useSession()
  const name = part.call(record)
  return (
    <Group justify="flex-end">
      <RemoveButton
        label={strings.remove}
        aria-label={strings.removeOf(name)}
        size="compact-sm"
        question={strings.removeQuestion(name)}
        about={strings.parts[part.name].removal}
        run={async (options) => part.remove?.(client, id, record._id, options)}
        done={strings.removed}
        failed={strings.notRemoved}
        stale={[keyOf('consumer-parts')]}
      />
    </Group>
  )
}
