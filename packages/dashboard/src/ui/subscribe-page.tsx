import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keyOf } from '../data/keys.js'
import { useSession } from '../data/session.js'
import { strings } from './strings.js'

/** Where viewers subscribe, which is a setting of the channel. Plans and videos for subscribers need it. */
export function SubscribePage() {
  const { client, channel, may } = useSession()
  const { data: account } = useQuery({
    queryKey: keyOf('account', channel._id, 'record'),
    queryFn: ({ signal }) => client.account.get({ signal }),
  })
  if (!account) return null
  const { set, unset, change, choose } = strings.subscribePage
  const { subscribe_url: url } = account
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {url === null ? (
        unset
      ) : (
        <>
          {set}{' '}
          <Anchor href={url} target="_blank" rel="noreferrer" inherit>
            {url}
          </Anchor>
          .
        </>
      )}{' '}
      {may(['account', 'update']) && (
        <Anchor component={Link} to="/settings/channel" inherit>
          {url === null ? choose : change}
        </Anchor>
      )}
    </Text>
  )
}
