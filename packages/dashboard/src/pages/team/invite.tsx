import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Role } from '@zoetrope/sdk'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { strings as common } from '../../ui/strings.js'
import { strings } from './strings.js'

const roles = Object.entries(common.roles).map(([value, label]) => ({ value, label }))

/** Creates an invitation link to the channel. */
export const Invite = () => (
  <DialogButton label={strings.invite} icon="plus" variant="filled" title={strings.inviteTitle}>
    {() => <InviteForm />}
  </DialogButton>
)

function InviteForm() {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [link, setLink] = useState<string>()
  if (link)
    return (
      <Stack>
        <Text>{strings.linkAbout}</Text>
        <Copyable label={strings.link} text={link} />
      </Stack>
    )
  return (
    <QuickForm
      label={strings.invite}
      send={() => publisher.invite({ email, role })}
      onSent={(invitation) => {
        setLink(invitation.link)
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
