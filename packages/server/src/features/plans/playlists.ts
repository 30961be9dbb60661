import { explaining } from '../../db/violation.js'
import { invalid, notFound } from '../../errors.js'
import { standard } from '../../resources/standard.js'
import type { CallOf } from '../call-of.js'

/** Throws 404 unless every playlist in the body exists. */
export async function checkPlaylists({ parts, scope, body }: CallOf<'plans', 'update'>): Promise<void> {
  const ids = [...new Set(body.playlist_ids)]
  if (ids.length === 0) return
  const found = await parts.database.db`
    select from playlists where site_id = ${scope.site_id} and _id = any(${ids}::text[])
  `
  if (found.length < ids.length) throw notFound('playlist')
}

/** Turns the failed check of a tiered plan without playlists into an error that explains it. */
export const whereTiersHavePlaylists = <T>(saved: Promise<T>): Promise<T> =>
  explaining(saved, 'check', () =>
    invalid('A tiered plan has one playlist at least: name them in playlist_ids.', {
      playlist_ids: ['must not be empty for a tiered plan'],
    }),
  )

export async function addPlaylists(call: CallOf<'plans', 'add_playlists'>) {
  const { parts, scope, id, body } = call
  await checkPlaylists(call)
  // New playlists are appended in the order given. Existing ones keep their position.
  await parts.database.transaction(
    (tx) => tx`
      update plans set updated_at = now(), playlist_ids = playlist_ids || array(
        select given.id from unnest(${body.playlist_ids}::text[]) with ordinality as given (id, place)
        where given.id <> all(playlist_ids) group by given.id order by min(given.place)
      )
      where site_id = ${scope.site_id} and _id = ${id}
    `,
  )
  return standard.get(call)
}

/** Throws 404 unless each playlist exists or is listed in the plan, which may still name deleted ones. */
async function checkRemoved({ parts, scope, id, body }: CallOf<'plans', 'remove_playlists'>): Promise<void> {
  const [unknown] = await parts.database.db`
    select from unnest(${body.playlist_ids}::text[]) as given (id)
    where not exists (select from playlists where site_id = ${scope.site_id} and _id = given.id)
    and not exists (
      select from plans where site_id = ${scope.site_id} and _id = ${id} and given.id = any(playlist_ids)
    )
    limit 1
  `
  if (unknown) throw notFound('playlist')
}

export async function removePlaylists(call: CallOf<'plans', 'remove_playlists'>) {
  const { parts, scope, id, body } = call
  await checkRemoved(call)
  await whereTiersHavePlaylists(
    parts.database.transaction(
      (tx) => tx`
        update plans set updated_at = now(), playlist_ids = array(
          select kept.id from unnest(playlist_ids) with ordinality as kept (id, place)
          where kept.id <> all(${body.playlist_ids}::text[]) order by kept.place
        )
        where site_id = ${scope.site_id} and _id = ${id}
      `,
    ),
  )
  return standard.get(call)
}
