import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keyOf } from '../../../data/keys.js'
import type { Entry } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { Badges } from '../../../ui/badges.js'
import { DialogButton } from '../../../ui/form-dialog.js'
import { bytes, clock } from '../../../ui/numbers.js'
import { Empty, Loaded } from '../../../ui/states.js'
import type { TabProps } from '../tab-props.js'
import { nameOf } from './name-of.js'
import { strings } from './strings.js'
import { TrackActions } from './track-actions.js'
import { UploadAudio } from './upload-audio.js'

const renewMs = 2000

/** The audio tracks of a video: those of its film, and uploaded ones. */
export function AudioTab({ video }: TabProps) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('audio_tracks', channel._id, 'list', video._id)
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      client.audio_tracks.list(video._id, { active: 'all', per_page: 100 }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.response.some(({ status }) => status === 'processing') ? renewMs : false,
  })
  const renew = () => void queries.invalidateQueries({ queryKey })
  const add = mayEdit && (
    <DialogButton icon="plus" label={strings.add}>
      {(close) => (
        <UploadAudio
          videoId={video._id}
          onSent={() => {
            close()
            renew()
          }}
        />
      )}
    </DialogButton>
  )
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{strings.about}</Text>
        {(list.data?.response.length ?? 0) > 0 && add}
      </Group>
      <Loaded query={list}>
        {({ response }) =>
          response.length === 0 ? (
            <Empty icon="megaphone" title={strings.empty} about={strings.emptyAbout}>
              {add}
            </Empty>
          ) : (
            response.map((track) => (
              <Paper key={track._id} withBorder p="sm" component="section" aria-label={nameOf(track)}>
                <Group justify="space-between" wrap="nowrap">
                  <Facts track={track} />
                  {mayEdit && <TrackActions track={track} renew={renew} />}
                </Group>
              </Paper>
            ))
          )
        }
      </Loaded>
    </Stack>
  )
}

/** What is known about a track, the most important first. */
function Facts({ track }: { readonly track: Entry<'audio_tracks'> }) {
  const { kind, status, origin, active, duration, error, notice } = track
  const badges = [
    ...(kind === 'main' ? [] : [strings.kinds[kind]]),
    ...(track.default ? [strings.default] : []),
    ...(active ? [] : [strings.hidden]),
    ...(status === 'ready' ? [] : [strings.states[status]]),
  ]
  const facts = [
    strings.origins[origin],
    ...(duration ? [clock(duration)] : []),
    ...(track.bytes ? [bytes(track.bytes)] : []),
  ]
  return (
    <div>
      <Group gap="xs">
        <Text fw={500}>{nameOf(track)}</Text>
        <Badges words={badges} />
      </Group>
      <Text c="dimmed" size="sm">
        {facts.join(' · ')}
      </Text>
      {(error ?? notice) && (
        <Text c={error ? 'red' : 'dimmed'} size="sm">
          {error ?? notice}
        </Text>
      )}
    </div>
  )
}
