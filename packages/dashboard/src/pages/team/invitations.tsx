import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { ActionButton } from '../../ui/action-button.js'
import { dateAndTime } from '../../ui/numbers.js'
import { Section } from '../../ui/section.js'
import { Loaded } from '../../ui/states.js'
import { strings as common } from '../../ui/strings.js'
import { Invite } from './invite.js'
import { strings } from './strings.js'

/** Open invitations. */
export function Invitations() {
  const { publisher, channel } = useSession()
  const query = useQuery({
    queryKey: keyOf('invitations', channel._id),
    queryFn: () => publisher.invitations(),
  })
  return (
    <Section title={strings.invitations}>
      <Loaded query={query}>
        {(list) => (
          <Stack>
            {list.length === 0 && <Text c="dimmed">{strings.noInvitations}</Text>}
            {list.map(({ _id, email, role, expires_at }) => (
              <Group key={_id} justify="space-between">
                <div>
                  <Text fw={500}>{email}</Text>
                  <Text size="sm" c="dimmed">
                    {strings.invited(common.roles[role], dateAndTime(expires_at))}
                  </Text>
                </div>
                <Group gap="xs">
                  <Invite label={strings.again} size="xs" person={{ email, role }} />
                  <ActionButton
                    size="xs"
                    run={() => publisher.withdrawInvitation(_id)}
                    done={strings.withdrawn}
                    failed={strings.notRemoved}
                    stale={[keyOf('invitations')]}
                    aria-label={strings.withdraw(email)}
                  >
                    {common.remove}
                  </ActionButton>
                </Group>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
