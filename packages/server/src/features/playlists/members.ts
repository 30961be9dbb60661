import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import type { Scope } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { listPlaylistVideos } from './videos.js'

/** Appends videos in the order given. Videos already in the playlist keep their position. */
export async function addVideos(call: CallOf<'playlists', 'add_videos'>) {
  const ids = idsIn(call)
  await change(call, ids, async (tx, { site_id }, playlist_id) => {
    await tx`
      insert into playlist_videos (site_id, playlist_id, video_id, shown)
      select ${site_id}, ${playlist_id}, _id, active and deleted_at is null
      from (
        select _id, active, deleted_at from unnest(${ids}::text[]) with ordinality as given (id, place)
        join videos on site_id = ${site_id} and _id = id order by place
      ) as added
      on conflict do nothing
    `
  })
  return firstPage(call)
}

/** Removes videos. Ignores videos that are not in the playlist. */
export async function removeVideos(call: CallOf<'playlists', 'remove_videos'>) {
  const ids = idsIn(call)
  await change(call, ids, async (tx, { site_id }, playlist_id) => {
    await tx`
      delete from playlist_videos
      where site_id = ${site_id} and playlist_id = ${playlist_id} and video_id = any(${ids})
    `
  })
  return firstPage(call)
}

/** Reorders the given videos among the positions they hold. Ignores videos that are not in the playlist. */
export async function orderVideos(call: CallOf<'playlists', 'order_videos'>) {
  const ids = idsIn(call)
  await change(call, ids, async (tx, { site_id }, playlist_id) => {
    await tx`
      with held as (
        select video_id, position, row_number() over (order by position) as rank from playlist_videos
        where site_id = ${site_id} and playlist_id = ${playlist_id} and video_id = any(${ids})
      ), given as (
        select video_id, row_number() over (order by place) as rank
        from unnest(${ids}::text[]) with ordinality as asked (id, place) join held on video_id = id
      )
      update playlist_videos as kept set position = held.position from given join held using (rank)
      where site_id = ${site_id} and playlist_id = ${playlist_id} and kept.video_id = given.video_id
    `
    await tx`select count_playlist_videos(array[${site_id}], array[${playlist_id}], array[0])`
  })
  return firstPage(call)
}

const idsIn = ({ body }: CallOf<'playlists', 'add_videos'>) => [...new Set(body.video_id)]

async function change(
  { parts, resource, scope, id }: Call,
  ids: readonly string[],
  carryOut: (tx: Db, scope: Scope, id: string) => Promise<void>,
): Promise<void> {
  const { site_id } = scope
  await parts.database.transaction(async (tx) => {
    await tx`select share_playlists(${site_id})`
    const [playlist] = await tx<{ playlist_type: string }[]>`
      select playlist_type from playlists where site_id = ${site_id} and _id = ${id} for key share
    `
    if (!playlist) throw notFound(resource.name)
    if (playlist.playlist_type !== 'manual')
      throw invalid(
        'This playlist fills itself by categories; videos cannot be put in or taken out by hand.',
        {
          playlist_type: ['is category'],
        },
      )
    // To avoid deadlocks, lock the videos before the rows that belong to them, as every change of a video does.
    const found = await tx`
      select from videos where site_id = ${site_id} and _id = any(${ids}) order by _id for update
    `
    if (found.length < ids.length) throw notFound(catalog.videos.name)
    await carryOut(tx, scope, id)
    await tx`select relate_videos(${site_id}, ${ids})`
  })
}

const firstPage = (call: Call) =>
  listPlaylistVideos({ ...call, query: { ...without(call.query), per_page: call.query.per_page || '25' } })

/** Removes body fields sent in the query string, so that they are not read as filters. */
function without({ video_id: _ids, playlist: _fields, ...query }: Call['query']): Call['query'] {
  return query
}
