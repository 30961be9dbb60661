import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { forEach, useChangeVideos } from '../../data/change-videos.js'
import { sessionKey, useSession } from '../../data/session.js'
import { useConfirmation } from '../../ui/confirm-password.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

/** What cannot be done by mistake. */
export const DangerZone = () => (
  <Section title={strings.danger} about={strings.dangerAbout}>
    <Stack gap="xl">
      <DeleteVideos />
      <DeleteChannel />
    </Stack>
  </Section>
)

interface DangerProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

const Danger = ({ title, about, children }: DangerProps) => (
  <Group justify="space-between" align="flex-start">
    <div style={{ flex: '1 1 16rem' }}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </div>
    {children}
  </Group>
)

interface NameFormProps<T> {
  readonly about: string
  readonly label: string
  send(name: string): Promise<T>
  onSent(answer: T): unknown
}

/** Goes on only once the name of the channel was typed. */
function NameForm<T>({ about, label, send, onSent }: NameFormProps<T>) {
  const { channel } = useSession()
  const [name, setName] = useState('')
  return (
    <QuickForm
      about={about}
      label={label}
      send={() =>
        name.trim() === channel.name
          ? send(name.trim())
          : Promise.reject(new Error(strings.typeName(channel.name)))
      }
      onSent={onSent}
    >
      {(problem) => (
        <TextInput
          label={strings.typeName(channel.name)}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          autoComplete="off"
          required
          data-autofocus
        />
      )}
    </QuickForm>
  )
}

function DeleteVideos() {
  const { client } = useSession()
  const { settle, restore } = useChangeVideos()
  const [deleted, setDeleted] = useState<readonly string[]>([])
  const [done, setDone] = useState<number>()
  const { ask, dialog } = useConfirmation()
  const removeAll = async () => {
    await ask(new Error(strings.notConfirmed))
    const ids: string[] = []
    for await (const { _id } of client.videos.all({ active: 'all', per_page: 100 })) ids.push(_id)
    return settle(forEach(ids, (id) => client.videos.remove(id), setDone))
  }
  const tell = (failures: readonly { readonly error: unknown }[], words: string) =>
    failures.length > 0 ? sayFailed(strings.someFailed(failures.length), failures[0]?.error) : sayDone(words)
  const bringBack = async () => {
    const result = await restore(deleted)
    setDeleted(result.failures.map(({ item }) => item))
    tell(result.failures, strings.restored(result.done.length))
  }
  return (
    <Danger title={strings.deleteVideos} about={strings.deleteVideosAbout}>
      {deleted.length > 0 && (
        <Button variant="default" onClick={() => void bringBack()}>
          {strings.undoDelete(deleted.length)}
        </Button>
      )}
      <DialogButton label={strings.deleteVideos}>
        {(close) => (
          <Stack>
            <NameForm
              about={strings.deleteVideosAbout}
              label={strings.deleteVideos}
              send={removeAll}
              onSent={(result) => {
                setDone(undefined)
                setDeleted(result.done)
                tell(result.failures, strings.deletedVideos(result.done.length))
                close()
              }}
            />
            {done !== undefined && <Text role="status">{strings.deletingVideos(done)}</Text>}
          </Stack>
        )}
      </DialogButton>
      {dialog}
    </Danger>
  )
}

function DeleteChannel() {
  const { publisher, channel, channels, chooseChannel } = useSession()
  const queries = useQueryClient()
  const { run, dialog } = useConfirmation()
  const leave = async () => {
    sayDone(strings.deletedChannel(channel.name))
    const other = channels.find(({ _id }) => _id !== channel._id)
    if (other) chooseChannel(other._id)
    await queries.invalidateQueries({ queryKey: sessionKey })
  }
  return (
    <Danger title={strings.deleteChannel} about={strings.deleteChannelAbout}>
      <DialogButton label={strings.deleteChannel}>
        {() => (
          <NameForm
            about={strings.deleteChannelAbout}
            label={strings.deleteChannel}
            send={(name) => run(() => publisher.deleteChannel(name))}
            onSent={leave}
          />
        )}
      </DialogButton>
      {dialog}
    </Danger>
  )
}
