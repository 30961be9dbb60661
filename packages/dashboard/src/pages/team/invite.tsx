import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Invitation, NewInvitation, Role } from '@zoetrope/sdk'
import { type ComponentProps, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { strings as common } from '../../ui/strings.js'
import { strings } from './strings.js'

const roles = Object.entries(common.roles).map(([value, label]) => ({ value, label }))

interface InviteProps extends Pick<ComponentProps<typeof DialogButton>, 'icon' | 'size' | 'variant'> {
  readonly label: string
  /** The person, if they are invited again. */
  readonly person?: Pick<Invitation, 'email' | 'role'>
}

/** Invites someone to the channel, by mail or with a link to pass on. */
export const Invite = ({ person, ...button }: InviteProps) => (
  <DialogButton
    title={strings.inviteTitle}
    {...button}
    {...(person ? { 'aria-label': strings.againFor(person.email) } : {})}
  >
    {() => <InviteForm person={person} />}
  </DialogButton>
)

function InviteForm({ person }: Pick<InviteProps, 'person'>) {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [email, setEmail] = useState(person?.email ?? '')
  const [role, setRole] = useState<Role>(person?.role ?? 'editor')
  const [made, setMade] = useState<NewInvitation>()
  if (made)
    return (
      <Stack>
        <Text>{made.link === null ? strings.sent(made.email) : strings.linkAbout(made.email)}</Text>
        {made.link !== null && <Copyable label={strings.link} text={made.link} />}
      </Stack>
    )
  return (
    <QuickForm
      label={strings.invite}
      send={() => publisher.invite({ email, role })}
      onSent={(invitation) => {
        setMade(invitation)
        return queries.invalidateQueries({ queryKey: keyOf('invitations') })
      }}
    >
      {(problem) => (
        <>
          <TextInput
            label={strings.email}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={problem}
            required
            data-autofocus
          />
          <NativeSelect
            label={strings.roleLabel}
            data={roles}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as Role)}
          />
        </>
      )}
    </QuickForm>
  )
}
