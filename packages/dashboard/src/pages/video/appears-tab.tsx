import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { Section } from '../../ui/section.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'

/** A place where viewers find the video. */
interface Place {
  readonly _id: string
  readonly title: string
  readonly note?: string | null
  /** Its page in the dashboard, if it has one. */
  readonly to?: string
}

interface RelatedVideo {
  readonly _id: string
  readonly linked_video_id: string
  readonly group: string | null
  readonly video?: { readonly title: string }
}

const many = { per_page: 100 } as const

/** Where the video is shown, besides its own page. */
export function AppearsTab({ video }: TabProps) {
  const { client } = useSession()
  const ids = video.related_playlist_ids
  return (
    <Stack>
      <Places
        videoId={video._id}
        title={strings.appears.playlists}
        name={['playlists', ...ids]}
        empty={strings.appears.noPlaylists}
        load={async (signal) => {
          if (ids.length === 0) return []
          const { response } = await client.playlists.list(
            { ...many, id: [...ids], active: 'all' },
            { signal },
          )
          return response.map(({ _id, title, playlist_type, active }) => ({
            _id,
            title,
            note: [strings.appears.kinds[playlist_type], !active && strings.appears.hidden]
              .filter(Boolean)
              .join(', '),
            to: `/playlists/${_id}`,
          }))
        }}
      />
      <Places
        videoId={video._id}
        title={strings.appears.objects}
        name={['zobjects', ...video.zobject_ids]}
        empty={strings.appears.noObjects}
        load={async (signal) => {
          const types = (await client.zobject_types.list(many, { signal })).response
          return video.video_zobjects.map(({ _id, title, zobject_type_title }) => {
            const type = types.find((each) => each.title === zobject_type_title)
            const place = { _id, title: title ?? _id, note: zobject_type_title }
            return type ? { ...place, to: `/zobjects/${type._id}/${_id}` } : place
          })
        }}
      />
      <Places
        videoId={video._id}
        title={strings.appears.guides}
        name={['guides']}
        empty={strings.appears.noGuides}
        load={async (signal) => {
          const { response } = await client.program_guides.list({ ...many, video_id: video._id }, { signal })
          return response.map(({ _id, name }) => ({ _id, title: name, to: `/program-guides/${_id}` }))
        }}
      />
      <Places
        videoId={video._id}
        title={strings.appears.trailers}
        name={['trailers']}
        empty={strings.appears.noTrailers}
        load={async (signal) => {
          const query = { ...many, preview_id: video._id, active: 'all' } as const
          const { response } = await client.videos.list(query, { signal })
          return response.map(({ _id, title }) => ({ _id, title, to: `/videos/${_id}` }))
        }}
      />
      <Places
        videoId={video._id}
        title={strings.appears.related}
        name={['related']}
        empty={strings.appears.noRelated}
        load={async (signal) => {
          const query = { include_related_videos: true, expand_related_videos: true }
          const record = (await client.videos.get(video._id, { signal, query })) as {
            readonly related_videos?: readonly RelatedVideo[]
          }
          return (record.related_videos ?? []).map(({ _id, linked_video_id, group, video: linked }) => ({
            _id,
            title: linked?.title ?? linked_video_id,
            note: group,
            to: `/videos/${linked_video_id}`,
          }))
        }}
      />
    </Stack>
  )
}

interface PlacesProps {
  readonly videoId: string
  readonly title: string
  readonly name: readonly string[]
  readonly empty: string
  readonly load: (signal: AbortSignal) => Promise<readonly Place[]>
}

/** Places of one kind. */
function Places({ videoId, title, name, empty, load }: PlacesProps) {
  const { channel } = useSession()
  const places = useQuery({
    queryKey: keyOf('places', channel._id, 'list', videoId, ...name),
    queryFn: ({ signal }) => load(signal),
  })
  return (
    <Section title={title} isCard>
      <Loaded query={places} waiting={<Waiting rows={1} />}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{empty}</Text>
          ) : (
            <Stack gap="xs">
              {found.map(({ _id, title: label, note, to }) => (
                <Group key={_id} gap="xs">
                  {to ? (
                    <Anchor component={Link} to={to}>
                      {label}
                    </Anchor>
                  ) : (
                    <Text>{label}</Text>
                  )}
                  {note && (
                    <Text c="dimmed" size="sm">
                      {note}
                    </Text>
                  )}
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}
