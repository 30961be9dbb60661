import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { Fold } from '../../ui/fold.js'
import { labelOf } from '../../ui/labels.js'
import { bytes, percent } from '../../ui/numbers.js'
import { strings } from './strings.js'

type Formats = Video['renditions']

/** All formats in one line: how many are ready, and how large they are together. */
function inOneLine(formats: Formats): string {
  const ready = formats.filter(({ status }) => status === 'ready').length
  const failed = formats.filter(({ status }) => status === 'failed').length
  const size = formats.reduce((sum, { filesize }) => sum + (filesize ?? 0), 0)
  return [
    ready === formats.length
      ? strings.renditionsReady(ready)
      : strings.renditionsUnderWay(ready, formats.length),
    ...(failed > 0 ? [strings.renditionsFailed(failed)] : []),
    ...(size > 0 ? [bytes(size)] : []),
  ].join(' · ')
}

/** The film that viewers see now: which quality they get of it, and what of its file is left out. */
function useFilm(video: Video) {
  const { client, channel } = useSession()
  const { data } = useQuery({
    // What is left out is known a little later than the formats.
    queryKey: keyOf('sources', channel._id, 'list', video._id, video.updated_at),
    queryFn: ({ signal }) => client.sources.list(video._id, { per_page: 100 }, { signal }),
    enabled: video.renditions.length > 0,
    placeholderData: (before) => before,
  })
  return data?.response.find(({ current }) => current)
}

/** The formats of the video: one line once all are ready, and the progress of each until then. */
export function Renditions({ video }: { readonly video: Video }) {
  const formats = video.renditions
  const [chosen, setChosen] = useState<boolean>()
  const film = useFilm(video)
  if (formats.length === 0) return null
  const isOpen = chosen ?? formats.some(({ status }) => status !== 'ready')
  return (
    <Paper withBorder component="section" aria-label={strings.renditions}>
      <Fold
        isOpen={isOpen}
        isDense
        onChoose={setChosen}
        summary={
          <Title order={2} size="sm" fw={500}>
            {inOneLine(formats)}
          </Title>
        }
      >
        <Stack gap="xs" px="md" pb="md">
          {film?.quality && <Text size="sm">{film.quality}</Text>}
          {film?.notice && (
            <Text size="sm" c="dimmed">
              {film.notice}
            </Text>
          )}
          {formats.map((format) => (
            <Format key={format.name} format={format} />
          ))}
        </Stack>
      </Fold>
    </Paper>
  )
}

function Format({ format: { name, status, progress, filesize } }: { readonly format: Formats[number] }) {
  const state =
    status === 'processing' && typeof progress === 'number'
      ? percent(progress / 100)
      : (strings.renditionStates[status] ?? labelOf(status))
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{labelOf(name)}</Text>
        <Text size="sm" c="dimmed">
          {[...(filesize ? [bytes(filesize)] : []), state].join(' · ')}
        </Text>
      </Group>
      {status !== 'ready' && (
        <Progress
          value={status === 'failed' ? 100 : (progress ?? 0)}
          color={status === 'failed' ? 'red' : undefined}
          size="sm"
          aria-label={labelOf(name)}
        />
      )}
    </div>
  )
}
