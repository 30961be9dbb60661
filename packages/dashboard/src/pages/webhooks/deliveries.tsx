import { Badge, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { fromNow, whole } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { useNow } from '../../ui/use-now.js'
import { strings } from './strings.js'

type Delivery = Entry<'webhook_deliveries'>

const lookAgainMs = 2000

/** The latest deliveries of a webhook, followed while any of them waits. */
export function Deliveries({ id }: { readonly id: string }) {
  const { client, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('webhook_deliveries', channel._id, 'list', id),
    queryFn: ({ signal }) => client.webhook_deliveries.list(id, { per_page: 25 }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.response.some(({ status }) => status === 'waiting') ? lookAgainMs : false,
  })
  return (
    <Section title={strings.deliveries}>
      <Loaded query={query}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">{strings.noDeliveries}</Text>
          ) : (
            <Table.ScrollContainer minWidth={680}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{strings.event}</Table.Th>
                    <Table.Th>{strings.state}</Table.Th>
                    <Table.Th>{strings.answer}</Table.Th>
                    <Table.Th>{strings.when}</Table.Th>
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {response.map((delivery) => (
                    <DeliveryRow key={delivery._id} id={id} delivery={delivery} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </Section>
  )
}

function DeliveryRow({ id, delivery }: { readonly id: string; readonly delivery: Delivery }) {
  const now = useNow()
  const { client } = useSession()
  const { event_type, status, response_status, milliseconds, error, attempt_count, next_attempt_at } =
    delivery
  const facts = [
    ...(response_status === null ? [] : [String(response_status)]),
    ...(milliseconds === null ? [] : [strings.milliseconds(whole(milliseconds))]),
    ...(attempt_count > 1 ? [strings.attempts(whole(attempt_count))] : []),
  ]
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{event_type}</Table.Td>
      <Table.Td>
        <Badge variant={status === 'failed' ? 'light' : 'default'} color="red" tt="none" miw="max-content">
          {strings.states[status]}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{facts.join(' · ')}</Text>
        {error && (
          <Text size="sm" c="dimmed">
            {error}
          </Text>
        )}
        {status === 'waiting' && attempt_count > 0 && next_attempt_at && (
          <Text size="sm" c="dimmed">
            {strings.nextAttempt(fromNow(next_attempt_at, now))}
          </Text>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{fromNow(delivery.created_at, now)}</Table.Td>
      <Table.Td>
        <ActionButton
          size="xs"
          aria-label={strings.retryOf(event_type)}
          run={() => client.webhook_deliveries.retry(id, delivery._id)}
          done={strings.retried}
          failed={strings.notRetried}
          stale={[keyOf('webhook_deliveries')]}
        >
          {strings.retry}
        </ActionButton>
      </Table.Td>
    </Table.Tr>
  )
}
