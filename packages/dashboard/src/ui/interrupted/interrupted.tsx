import { ActionIcon, Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { useUploads } from '../../data/upload-list.js'
import { waitingFiles } from '../../data/waiting-files.js'
import { Icon } from '../icons.js'
import { sayFailed } from '../notices.js'
import { bytes } from '../numbers.js'
import { PlainList } from '../plain-list.js'
import { strings } from './strings.js'

/** An upload that stopped when its page was closed, or a file whose upload had not begun. */
interface Stopped {
  readonly key: string
  readonly name: string
  readonly size: number
  /** Per cent; undefined if it has not begun. */
  readonly progress?: number
  resume(file: File): Promise<void>
  forget(): Promise<unknown>
}

/** Bytes that arrive are noted every five seconds. */
const quiet = { hereMs: 10_000, elsewhereMs: 60_000, lookMs: 5000 }

/** Whether this browser began the upload: then nobody else sends it. */
const isOurs = (id: string) =>
  Object.values({ ...localStorage }).some((kept) => String(kept).includes(`/uploads/tus/${id}`))

/** Whether no bytes had arrived for a while when it was looked at: programs and other people upload too. */
const isQuiet = (
  { _id, updated_at }: { readonly _id: string; readonly updated_at: string },
  seenAt: number,
) => seenAt - Date.parse(updated_at) > (isOurs(_id) ? quiet.hereMs : quiet.elsewhereMs)

function useStopped(videoId: string | undefined): readonly Stopped[] {
  const session = useSession()
  const { client, channel, mayEdit } = session
  const queries = useQueryClient()
  const sending = useUploads()
  const [, setForgotten] = useState(0)
  const queryKey = keyOf('uploads', channel._id, 'list')
  const { data, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.uploads.list({ per_page: 100 }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.response.length ? quiet.lookMs : false),
    enabled: mayEdit,
  })
  const isSent = (file: { readonly name: string; readonly size: number }) =>
    sending.some((item) => item.channel._id === channel._id && waitingFiles.isSame(item, file))
  // The bytes are sent by code that most visits do not need.
  const send = () => import('../../data/send-files.js')
  const begun = (data?.response ?? [])
    .filter((upload) => isQuiet(upload, dataUpdatedAt))
    .map(
      ({ _id, file_name: name, length: size, progress, video_id }): Stopped & { videoId: string | null } => ({
        ...{ key: _id, name, size, videoId: video_id, progress: progress ?? 0 },
        resume: async (file) => (await send()).resumeUpload(session, file, { _id, video_id }),
        forget: async () => {
          await client.uploads.remove(_id)
          await queries.invalidateQueries({ queryKey })
        },
      }),
    )
  const notBegun = waitingFiles
    .get(channel._id)
    .map(({ name, size, active, videoId: of }): Stopped & { videoId: string | null } => ({
      ...{ key: `${name} ${size}`, name, size, videoId: of ?? null },
      resume: async (file) =>
        (await send()).addFiles(session, [file], { active, ...(of ? { videoId: of } : {}) }),
      forget: async () => {
        waitingFiles.remove(channel._id, { name, size })
        setForgotten((count) => count + 1)
      },
    }))
  const known = (file: Stopped) => begun.some((each) => waitingFiles.isSame(each, file))
  return [...begun, ...notBegun.filter((file) => !known(file))]
    .filter((file) => videoId === undefined || file.videoId === videoId)
    .filter((file) => !isSent(file) && !sending.some((item) => item.videoId && item.videoId === file.videoId))
}

interface InterruptedProps {
  /** Shows those of one video only. */
  readonly videoId?: string
}

/** Uploads that were interrupted by a closed page or begun on another machine, each with a way to resume it. */
export function Interrupted({ videoId }: InterruptedProps) {
  const stopped = useStopped(videoId)
  if (stopped.length === 0) return null
  return (
    <Stack component="section" gap="sm" aria-label={strings.title}>
      <div>
        <Title order={2} size="h4">
          {strings.title}
        </Title>
        <Text c="dimmed" size="sm">
          {strings.about}
        </Text>
      </div>
      <PlainList>
        {stopped.map((file) => (
          <Row key={file.key} file={file} />
        ))}
      </PlainList>
    </Stack>
  )
}

function Row({ file }: { readonly file: Stopped }) {
  const { name, size, progress } = file
  const [other, setOther] = useState<File>()
  const choose = (chosen: File | null) => {
    if (!chosen) return
    if (!waitingFiles.isSame(chosen, file)) return setOther(chosen)
    setOther(undefined)
    file.resume(chosen).catch((error) => sayFailed(strings.resumeOf(name), error))
  }
  return (
    <Paper withBorder p="sm" component="li">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={500} truncate>
          {name}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <FileButton onChange={choose} inputProps={{ 'aria-label': strings.resumeOf(name) }}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" aria-label={strings.resumeOf(name)}>
                {strings.resume}
              </Button>
            )}
          </FileButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={strings.forget(name)}
            onClick={() => file.forget().catch((error) => sayFailed(strings.forget(name), error))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      </Group>
      {progress !== undefined && <Progress value={progress} aria-label={name} my={6} />}
      <Text size="sm" c="dimmed">
        {progress === undefined ? strings.notBegun(bytes(size)) : strings.arrived(bytes(size), progress)}
      </Text>
      {other && (
        <Text size="sm" c="red" role="alert">
          {strings.otherFile(other.name, bytes(other.size), name, bytes(size))}
        </Text>
      )}
    </Paper>
  )
}
