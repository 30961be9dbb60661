import { Anchor, Button, List, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { bytes } from '../../ui/numbers.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'

const kinds = [
  { words: strings.failed, status: 'failed' },
  { words: strings.busy, status: 'processing' },
  { words: strings.waiting, status: 'created' },
] as const satisfies readonly { words: unknown; status: Video['status'] }[]

const mostCounted = 100

/** Videos that wait for somebody, or for something. */
export function Attention() {
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: ['videos', channel._id, 'attention'],
    queryFn: ({ signal }) =>
      Promise.all(
        kinds.map(async ({ status }) => {
          const fields = { active: 'all', status, per_page: mostCounted, response_fields: ['_id'] } as const
          const { response, pagination } = await client.videos.list(fields, { signal })
          return { count: response.length, isMore: pagination.next !== null }
        }),
      ),
  })
  return (
    <Card title={strings.attention}>
      <Loaded query={query} waiting={<Waiting rows={2} />}>
        {(counts) => {
          const shown = kinds.flatMap(({ words, status }, index) => {
            const { count, isMore } = counts[index] ?? { count: 0, isMore: false }
            return count > 0 ? [{ status, text: words(isMore ? `${count}+` : String(count)) }] : []
          })
          if (shown.length === 0) return <Text c="dimmed">{strings.attentionNone}</Text>
          return (
            <Stack gap="xs">
              {shown.map(({ status, text }) => (
                <Anchor key={status} component={Link} to="/videos" search={{ status } as never}>
                  {text}
                </Anchor>
              ))}
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}

/** How much room the channel uses. */
export function Storage() {
  const { client, channel } = useSession()
  const account = useQuery({
    queryKey: ['account', channel._id, 'storage'],
    queryFn: ({ signal }) => client.account.get({ signal }),
  })
  return (
    <Card title={strings.storage}>
      <Loaded query={account} waiting={<Waiting rows={2} />}>
        {({ storage_bytes, storage_limit_bytes: limit }) => {
          const used = storage_bytes ?? 0
          if (limit === null) return <Text>{strings.used(bytes(used))}</Text>
          return (
            <Stack gap="xs">
              <Text>{strings.usedOf(bytes(used), bytes(limit))}</Text>
              <Progress value={(used / limit) * 100} aria-label={strings.storage} />
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}

const Card = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    <Title order={2} size="h5" mb="sm">
      {title}
    </Title>
    {children}
  </Paper>
)

/** The way from nothing to a video on a page. */
export function FirstSteps() {
  const { mayEdit } = useSession()
  return (
    <Card title={strings.first.title}>
      <Text c="dimmed" mb="md">
        {strings.first.about}
      </Text>
      <List type="ordered" spacing="md">
        {strings.first.steps.map(({ title, about }) => (
          <List.Item key={title}>
            <Text fw={600}>{title}</Text>
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          </List.Item>
        ))}
      </List>
      {mayEdit && (
        <Button
          mt="lg"
          renderRoot={(props) => <Link to="/upload" {...props} />}
          leftSection={<Icon name="upload" />}
        >
          {strings.first.begin}
        </Button>
      )}
    </Card>
  )
}
