import { Badge, Button, Code, Group, NativeSelect, Paper, Stack, Table, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { LoggedRequest } from '@zoetrope/sdk'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { dateAndTime } from '../../ui/numbers.js'
import { PageLayout } from '../../ui/page.js'
import { Empty, Loaded } from '../../ui/states.js'
import { strings } from './strings.js'

const perPage = 100
const typingMs = 250
const methods = ['GET', 'POST', 'PUT', 'DELETE']

/** The requests of the channel's apps and scripts. */
export function Page() {
  const { publisher, channel } = useSession()
  const [status, setStatus] = useState('')
  const [method, setMethod] = useState('')
  const [typed, setTyped] = useState('')
  const [path] = useDebouncedValue(typed, typingMs)
  const filters = { ...(status && { status }), ...(method && { method }), ...(path && { path }) }
  const query = useInfiniteQuery({
    queryKey: keyOf('requests', channel._id, 'list', filters),
    queryFn: ({ pageParam }) => publisher.requests({ ...filters, ...(pageParam && { before: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < perPage ? undefined : page.at(-1)?._id),
  })
  return (
    <PageLayout
      title={strings.title}
      about={strings.about}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="again" />}
          loading={query.isRefetching}
          onClick={() => void query.refetch()}
        >
          {strings.renew}
        </Button>
      }
    >
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label={strings.status}
          value={status}
          data={[
            { value: '', label: strings.any },
            ...Object.entries(strings.statuses).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        <NativeSelect
          label={strings.method}
          value={method}
          data={[{ value: '', label: strings.any }, ...methods]}
          onChange={(event) => setMethod(event.currentTarget.value)}
        />
        <TextInput
          label={strings.path}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Group>
      <Loaded query={query}>
        {({ pages }) => (
          <Stack>
            <Requests requests={pages.flat()} />
            {query.hasNextPage && (
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {strings.more}
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  )
}

const colorOf = (status: number) => (status < 400 ? 'teal' : status < 500 ? 'yellow' : 'red')

function Requests({ requests }: { readonly requests: readonly LoggedRequest[] }) {
  if (requests.length === 0) return <Empty icon="code" title={strings.empty} about={strings.emptyAbout} />
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={700} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {strings.columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {requests.map(({ _id, created_at, method, path, status, ms, credential, request_id }) => (
              <Table.Tr key={_id}>
                <Table.Td>{dateAndTime(created_at)}</Table.Td>
                <Table.Td>
                  <Code>
                    {method} {path}
                  </Code>
                </Table.Td>
                <Table.Td>
                  <Badge variant="default" leftSection={<Dot color={colorOf(status)} />}>
                    {status}
                  </Badge>
                </Table.Td>
                <Table.Td>{strings.took(ms)}</Table.Td>
                <Table.Td>{credential ?? '–'}</Table.Td>
                <Table.Td>
                  <Code>{request_id}</Code>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

const Dot = ({ color }: { readonly color: string }) => (
  <svg width={8} height={8} viewBox="0 0 8 8" aria-hidden="true">
    <circle cx={4} cy={4} r={4} fill={`var(--mantine-color-${color}-6)`} />
  </svg>
)
