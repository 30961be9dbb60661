import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { PageLayout } from '../../ui/page.js'
import { Loaded } from '../../ui/states.js'
import { Invitations } from './invitations.js'
import { Invite } from './invite.js'
import { Members } from './members.js'
import { NewChannel } from './new-channel.js'
import { strings } from './strings.js'

/** The members of the channel, and its open invitations. */
export function Page() {
  const { publisher, channel } = useSession()
  const members = useQuery({
    queryKey: keyOf('members', channel._id),
    queryFn: () => publisher.members(),
  })
  return (
    <PageLayout
      title={strings.title}
      about={strings.about}
      maw="60rem"
      actions={
        <Group gap="xs">
          <NewChannel />
          <Invite label={strings.invite} icon="plus" variant="filled" />
        </Group>
      }
    >
      <Loaded query={members}>{(list) => <Members members={list} />}</Loaded>
      <Invitations />
    </PageLayout>
  )
}
