import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, type Scope } from '../../resources/store.js'

/**
 * Returns the app of the caller's key, with the settings that it reads at start. Fields are merged last, so that no
 * setting overrides one.
 */
export async function getOwnApp({ parts, resource, principal, scope }: Call) {
  const { database, loginUrl } = parts
  const json = principal.appId && (await find(database.db, catalog.apps, scope, principal.appId))
  if (!json) throw notFound('app')
  const app = JSON.parse(json) as Record<string, unknown>
  const fields = Object.fromEntries(Object.keys(resource.fields).map((name) => [name, app[name]]))
  const featured_playlist_id = await featuredPlaylist(database.db, scope, app.featured_playlist_id)
  const own = { device_link_url: `${loginUrl}/link`, ...(app.settings as object) }
  return answer(JSON.stringify({ ...own, ...fields, featured_playlist_id }))
}

/** Returns the chosen playlist if it is active, otherwise the first active one at the top level. */
async function featuredPlaylist(db: Db, { site_id }: Scope, chosen: unknown): Promise<string | null> {
  const [found] = await db<{ _id: string }[]>`
    select _id from playlists
    where site_id = ${site_id} and active and (_id = ${String(chosen)} or parent_id is null)
    order by _id <> ${String(chosen)}, priority, created_at, _id limit 1
  `
  return found?._id ?? null
}
