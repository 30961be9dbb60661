import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Role } from '@zoetrope/sdk'
import { type SubmitEvent, useState } from 'react'
import { useSession } from '../../data/session.js'
import { Copyable } from '../../ui/copyable.js'
import { Icon } from '../../ui/icons.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

const roles = Object.entries(strings.roles).map(([value, label]) => ({ value, label }))

/** Makes a link with which somebody joins the channel. */
export function Invite() {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={open}>
        {strings.invite}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={strings.inviteTitle}
        closeButtonProps={{ 'aria-label': strings.close }}
      >
        <InviteForm />
      </Modal>
    </>
  )
}

function InviteForm() {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const inviting = useMutation({
    mutationFn: () => publisher.invite({ email, role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    inviting.mutate()
  }
  if (inviting.data)
    return (
      <Stack>
        <Text>{strings.linkAbout}</Text>
        <Copyable label={strings.link} text={inviting.data.link} />
      </Stack>
    )
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={strings.email}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={inviting.error ? explain(inviting.error).about : undefined}
          required
          data-autofocus
        />
        <NativeSelect
          label={strings.roleLabel}
          data={roles}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={inviting.isPending}>
            {strings.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
