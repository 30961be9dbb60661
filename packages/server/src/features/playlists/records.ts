import { type Fragment, run, sql } from '../../db/fragment.js'
import { isId } from '../../lib/object-id.js'
import { deriving } from '../../resources/derived.js'
import type { Answer, Call } from '../../resources/feature.js'
import { both, listAllowed, playlistsAllowed } from '../content-rules/allowed-here.js'
import { filling } from './rules.js'

/**
 * With video_id, the playlists that have the video, put there by hand or by rules; with zobject_id, those it is attached to;
 * of those that `among` picks, where it is given.
 */
export function listPlaylists(call: Call, among?: Fragment): Promise<Answer> {
  const { video_id, zobject_id, ...query } = call.query
  const { site_id } = call.scope
  const conditions = [
    among,
    named(
      video_id,
      (ids) => sql`_id in (
      select playlists_with(site_id, _id, categories) from videos
      where site_id = ${site_id} and _id = any(${ids}::text[])
    )`,
    ),
    named(
      zobject_id,
      (ids) => sql`_id in (
      select playlist_id from zobject_playlists where site_id = ${site_id} and zobject_id = any(${ids}::text[])
    )`,
    ),
  ]
  return listAllowed(playlistsAllowed, conditions.reduce(both, undefined))({ ...call, query })
}

/** A condition on the ids that a parameter names; none where it is absent or empty. */
function named(value: unknown, having: (ids: readonly string[]) => Fragment): Fragment | undefined {
  if (value === undefined || value === '') return undefined
  return having([value].flat().map(String).filter(isId))
}

const mostCounted = 10_000

/** Playlists that fill themselves say how many videos they have at this moment. */
export const withCounts = deriving(async (playlists, call) => {
  const isFilled = ({ playlist_type }: Readonly<Record<string, unknown>>) => playlist_type === 'category'
  const paths = playlists.some(isFilled) ? await pathsOf(call, playlists) : new Map<string, string>()
  const values: Readonly<Record<string, unknown>>[] = []
  for (const playlist of playlists)
    values.push(
      isFilled(playlist)
        ? { playlist_item_count: await count(call, paths.get(String(playlist._id)) ?? null) }
        : {},
    )
  return values
})

/** What fills those of some playlists that fill themselves. */
async function pathsOf(
  { parts, scope }: Call,
  playlists: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = playlists.map(({ _id }) => String(_id))
  const rows = await parts.database.db<{ _id: string; path: string }[]>`
    select _id, filled_by::text as path from playlists
    where site_id = ${scope.site_id} and _id = any(${ids}::text[]) and filled_by is not null
  `
  return new Map(rows.map(({ _id, path }) => [_id, path]))
}

async function count({ parts, scope }: Call, path: string | null): Promise<number> {
  const [row] = await run<{ videos: string }>(
    parts.database.searching,
    sql`
    select count(*) as videos from (
      select from videos where site_id = ${scope.site_id} and deleted_at is null and active and ${filling(path)}
      limit ${mostCounted}
    ) as counted
  `,
  )
  return Number(row?.videos ?? 0)
}
