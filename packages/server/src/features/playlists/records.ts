import type { Catalog, RecordOf } from '@zoetrope/contract'
import { type Fragment, run, sql } from '../../db/fragment.js'
import { isId } from '../../lib/object-id.js'
import type { Answer, Call, Run } from '../../resources/feature.js'
import { listAllowed, playlistsAllowed } from '../content-rules/allowed-here.js'
import { matching, type Rule } from './rules.js'

type Playlist = Partial<RecordOf<Catalog['playlists']>>

/** With video_id, the playlists that have the video, put there by hand; of those that `among` picks, where it is given. */
export function listPlaylists(call: Call, among?: Fragment): Promise<Answer> {
  const { video_id, ...query } = call.query
  if (video_id === undefined || video_id === '') return listAllowed(playlistsAllowed, among)(call)
  const ids = [video_id].flat().map(String).filter(isId)
  const having = sql`_id in (
    select playlist_id from playlist_videos
    where site_id = ${call.scope.site_id} and video_id = any(${ids}::text[])
  )`
  return listAllowed(playlistsAllowed, among ? sql`${among} and ${having}` : having)({ ...call, query })
}

const mostCounted = 10_000

/** Playlists that fill themselves say how many videos they have at this moment. */
export const withCounts =
  (run: Run): Run =>
  async (call) => {
    const answer = await run(call)
    if (!answer?.json.includes('"playlist_type":"category"')) return answer
    const { response, ...rest } = JSON.parse(answer.json.toString()) as { response: Playlist | Playlist[] }
    for (const playlist of [response].flat())
      if (isRuled(playlist)) playlist.playlist_item_count = await count(call, playlist)
    return { json: JSON.stringify({ response, ...rest }) }
  }

/** Whether there is something to fill in, and all that is needed for it was asked for. */
const isRuled = ({ playlist_type, playlist_item_count, categories }: Playlist): boolean =>
  playlist_type === 'category' && playlist_item_count !== undefined && categories !== undefined

async function count({ parts, scope }: Call, { categories, match_type = 'any' }: Playlist): Promise<number> {
  const rules = matching(categories as unknown as readonly Rule[], match_type)
  const [row] = await run<{ videos: string }>(
    parts.database.searching,
    sql`
    select count(*) as videos from (
      select from videos where site_id = ${scope.site_id} and deleted_at is null and active and ${rules}
      limit ${mostCounted}
    ) as counted
  `,
  )
  return Number(row?.videos ?? 0)
}
