import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { usePrevious } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AllVideos } from '@zoetrope/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { confirmation } from '../../data/confirmation.js'
import { keyOf } from '../../data/keys.js'
import { sessionKey, useSession } from '../../data/session.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone, sayFailed } from '../../ui/notices.js'
import { Section } from '../../ui/section.js'
import { strings } from './strings.js'

/** Actions that need a confirmation. */
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

/** A form that can be sent only after the name of the channel has been typed. */
function NameForm<T>({ about, label, send, onSent }: NameFormProps<T>) {
  const { channel } = useSession()
  const [name, setName] = useState('')
  return (
    <QuickForm
      about={about}
      label={label}
      send={() =>
        name.trim() === channel.name.trim()
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

const askAgainMs = 1000

/** The progress of the server's work on all videos, and how many are left. */
function useAllVideos() {
  const { publisher, client, channel } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('all-videos', channel._id)
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => publisher.allVideos({ signal }),
    refetchInterval: ({ state }) => (state.data?.running ? askAgainMs : false),
  })
  const running = data?.running ?? null
  const there = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'count'),
    queryFn: ({ signal }) => client.videos.list({ active: 'all', per_page: 1 }, { signal }),
    enabled: running !== null,
    refetchInterval: askAgainMs,
    select: ({ pagination }) => pagination.pages,
  })
  const before = usePrevious(running)
  useEffect(() => {
    if (running !== null || !before) return
    sayDone(before === 'deleting' ? strings.deletedVideos : strings.restored)
    void queries.invalidateQueries({ queryKey: keyOf('videos') })
  }, [running, before, queries])
  return {
    running,
    deleted: data?.deleted ?? undefined,
    count: there.data,
    begun: (answer: AllVideos) => void queries.setQueryData(queryKey, answer),
  }
}

function DeleteVideos() {
  const { publisher } = useSession()
  const { running, deleted, count, begun } = useAllVideos()
  const removeAll = async (name: string) => {
    await confirmation.ask()
    return publisher.deleteAllVideos(name)
  }
  const bringBack = () =>
    publisher.restoreAllVideos().then(begun, (error) => sayFailed(strings.notRestored, error))
  return (
    <Danger title={strings.deleteVideos} about={strings.deleteVideosAbout}>
      {running && (
        <Text role="status">
          {running === 'deleting' ? strings.deleting(count) : strings.restoring(count)}
        </Text>
      )}
      {deleted && (
        <Button variant="default" onClick={() => void bringBack()}>
          {strings.undoDelete(deleted.count)}
        </Button>
      )}
      <DialogButton label={strings.deleteVideos} disabled={running !== null}>
        {(close) => (
          <NameForm
            about={strings.deleteVideosAbout}
            label={strings.deleteVideos}
            send={removeAll}
            onSent={(answer) => {
              begun(answer)
              close()
            }}
          />
        )}
      </DialogButton>
    </Danger>
  )
}

function DeleteChannel() {
  const { publisher, channel, channels, chooseChannel } = useSession()
  const queries = useQueryClient()
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
            send={(name) => publisher.deleteChannel(name)}
            onSent={leave}
          />
        )}
      </DialogButton>
    </Danger>
  )
}
