import { Badge, Group, NativeSelect, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Member, Role } from '@zoetrope/sdk'
import { keyOf } from '../../data/keys.js'
import { sessionKey, useSession } from '../../data/session.js'
import { Ago } from '../../ui/ago.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { RemoveButton } from '../../ui/remove-button.js'
import { Section } from '../../ui/section.js'
import { strings as common } from '../../ui/strings.js'
import { strings } from './strings.js'

const roles = Object.entries(common.roles).map(([value, label]) => ({ value, label }))

export const Members = ({ members }: { readonly members: readonly Member[] }) => (
  <Section title={strings.members}>
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {strings.columns.map((column) => (
              <Table.Th key={column} aria-label={column || common.remove}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <MemberRow key={member._id} member={member} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Section>
)

function MemberRow({ member }: { readonly member: Member }) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const { _id, email, name, role, last_sign_in_at, you } = member
  // Members who change their own role see a different dashboard.
  const stale = you ? [keyOf('members'), sessionKey] : [keyOf('members')]
  const changing = useMutation({
    mutationFn: (next: Role) => publisher.changeRole(_id, next),
    onSuccess: () => sayDone(strings.roleChanged),
    onError: (error) => sayFailed(strings.roleNotChanged, error),
    onSettled: () => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text fw={500}>{name ?? email}</Text>
          {you && <Badge variant="default">{strings.you}</Badge>}
        </Group>
        {name && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <NativeSelect
          aria-label={strings.role(email)}
          data={roles}
          value={changing.isPending ? changing.variables : role}
          onChange={(event) => changing.mutate(event.currentTarget.value as Role)}
        />
      </Table.Td>
      <Table.Td>{last_sign_in_at ? <Ago at={last_sign_in_at} /> : strings.never}</Table.Td>
      <Table.Td>
        <RemoveButton
          size="xs"
          label={common.remove}
          aria-label={strings.remove(email)}
          question={strings.removeQuestion(email)}
          about={strings.removeAbout}
          run={() => publisher.removeMember(_id)}
          done={strings.removed}
          failed={strings.notRemoved}
          stale={stale}
        />
      </Table.Td>
    </Table.Tr>
  )
}
