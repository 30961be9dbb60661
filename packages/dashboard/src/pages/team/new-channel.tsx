import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { sessionKey, useSession } from '../../data/session.js'
import { sayDone } from '../../ui/notices.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

/** Another channel, of which whoever makes it is the owner. */
export function NewChannel() {
  const { publisher } = useSession()
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const [name, setName] = useState('')
  const making = useMutation({
    mutationFn: () => publisher.createChannel(name),
    onSuccess: async () => {
      sayDone(strings.channelMade)
      setName('')
      close()
      await queries.invalidateQueries({ queryKey: sessionKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    making.mutate()
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {strings.channel}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={strings.channel}
        closeButtonProps={{ 'aria-label': strings.close }}
      >
        <form onSubmit={submit}>
          <Stack>
            <Text>{strings.channelAbout}</Text>
            <TextInput
              label={strings.channelName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={making.error ? explain(making.error).about : undefined}
              required
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" loading={making.isPending}>
                {strings.channelCreate}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
