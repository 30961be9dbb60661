import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useSession } from '../../data/session.js'
import { Icon } from '../../ui/icons.js'
import { sayDone } from '../../ui/notices.js'
import { explain } from '../../ui/states.js'
import { strings } from './strings.js'

/** Links the device that shows a PIN to the consumer: help for people on the telephone. */
export function LinkDevice({ consumerId }: { readonly consumerId: string }) {
  const [isOpen, { open, close }] = useDisclosure()
  const [pin, setPin] = useState('')
  const { client } = useSession()
  const queries = useQueryClient()
  const linking = useMutation({
    mutationFn: () => client.pin.link({ consumer_id: consumerId, pin }),
    onSuccess: async () => {
      sayDone(strings.linked)
      setPin('')
      close()
      await queries.invalidateQueries({ queryKey: ['consumer-parts'] })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    linking.mutate()
  }
  return (
    <>
      <Button variant="default" leftSection={<Icon name="link" />} onClick={open}>
        {strings.link}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={strings.link}
        closeButtonProps={{ 'aria-label': strings.close }}
      >
        <form onSubmit={submit}>
          <Stack>
            <Text>{strings.linkAbout}</Text>
            <TextInput
              label={strings.pin}
              value={pin}
              onChange={(event) => setPin(event.currentTarget.value)}
              error={linking.error ? explain(linking.error).about : undefined}
              autoComplete="off"
              data-autofocus
              required
            />
            <Group justify="flex-end">
              <Button type="submit" loading={linking.isPending}>
                {strings.linkNow}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
