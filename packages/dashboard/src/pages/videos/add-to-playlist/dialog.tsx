import { Divider, Stack, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keyOf } from '../../../data/keys.js'
import type { Entry } from '../../../data/records.js'
import { useSession } from '../../../data/session.js'
import { Dialog, QuickForm } from '../../../ui/form-dialog.js'
import { Icon } from '../../../ui/icons.js'
import { Poster } from '../../../ui/poster.js'
import { Loaded } from '../../../ui/states.js'
import classes from './dialog.module.css'
import { strings } from './strings.js'

export type Playlist = Entry<'playlists'>

interface AddToPlaylistProps {
  /** How many videos are selected. */
  readonly count: number
  onChoose(playlist: Playlist): void
  onClose(): void
}

const typingMs = 150
const most = 25

/** Chooses a playlist, or makes a new one. */
export function AddToPlaylist({ count, onChoose, onClose }: AddToPlaylistProps) {
  const { client, channel, may } = useSession()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [title, setTitle] = useState('')
  const [q] = useDebouncedValue(text.trim(), typingMs)
  const query = useQuery({
    queryKey: keyOf('playlists', channel._id, 'list', 'chosen', q),
    queryFn: ({ signal }) =>
      client.playlists.list(
        { ...(q === '' ? {} : { q }), active: 'all', playlist_type: 'manual', per_page: most },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title={strings.title(count)} isOpen onClose={onClose}>
      <Stack>
        <TextInput
          type="search"
          aria-label={strings.search}
          placeholder={strings.search}
          leftSection={<Icon name="search" />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Loaded query={query}>
          {({ response }) => (
            <>
              {response.length === 0 && <Text c="dimmed">{q === '' ? strings.noneYet : strings.none}</Text>}
              <Playlists playlists={response} onChoose={onChoose} />
              <VisuallyHidden role="status">{strings.found(response.length)}</VisuallyHidden>
            </>
          )}
        </Loaded>
        {may(['playlists', 'create']) && (
          <>
            <Divider />
            <QuickForm
              label={strings.create}
              variant="default"
              send={() => client.playlists.create({ title: title.trim() })}
              onSent={(playlist) => {
                void queries.invalidateQueries({ queryKey: keyOf('playlists') })
                onChoose(playlist)
              }}
            >
              {(problem) => (
                <TextInput
                  label={strings.newTitle}
                  required
                  maxLength={500}
                  value={title}
                  error={problem}
                  onChange={(event) => setTitle(event.currentTarget.value)}
                />
              )}
            </QuickForm>
          </>
        )}
      </Stack>
    </Dialog>
  )
}

interface PlaylistsProps {
  readonly playlists: readonly Playlist[]
  onChoose(playlist: Playlist): void
}

function Playlists({ playlists, onChoose }: PlaylistsProps) {
  const pictures = usePictures(playlists)
  return (
    <ul className={classes.list}>
      {playlists.map((playlist) => (
        <li key={playlist._id}>
          <UnstyledButton className={classes.choice} onClick={() => onChoose(playlist)}>
            <span className={classes.picture}>
              <Poster
                video={{ title: playlist.title, duration: null, thumbnails: pictures(playlist) }}
                width={160}
              />
            </span>
            <span className={classes.name}>
              {playlist.title}
              <Text size="xs" c="dimmed" component="span">
                {strings.videos(playlist.playlist_item_count)}
                {!playlist.active && ` · ${strings.hidden}`}
              </Text>
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

/** A playlist without a picture of its own shows that of its first video. */
function usePictures(playlists: readonly Playlist[]) {
  const { client, channel } = useSession()
  const ids = playlists.flatMap(({ thumbnails, related_video_ids: [first] }) =>
    thumbnails.length === 0 && first ? [first] : [],
  )
  const { data } = useQuery({
    queryKey: keyOf('videos', channel._id, 'list', 'pictures', ids),
    queryFn: ({ signal }) => client.videos.list({ id: ids, active: 'all', per_page: 100 }, { signal }),
    enabled: ids.length > 0,
  })
  const byId = new Map((data?.response ?? []).map(({ _id, thumbnails }) => [_id, thumbnails]))
  return ({ thumbnails, related_video_ids: [first = ''] }: Playlist) =>
    thumbnails.length > 0 ? thumbnails : (byId.get(first) ?? [])
}
