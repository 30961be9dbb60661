import { catalog, secretFields } from '@zoetrope/contract'
import { type AppSecrets, newAppSecrets, newClientId, registerAppSecrets } from '../auth/keys.js'
import type { Db } from '../db/database.js'
import { notFound } from '../errors.js'
import { newId } from '../lib/object-id.js'
import { reveal } from '../resources/columns.js'
import type { Call, Parts } from '../resources/feature.js'
import { answer } from '../resources/standard.js'
import { find, insert, type Scope, update } from '../resources/store.js'
import type { CallOf } from './call-of.js'
import { deriving } from './derived.js'

/** Creates an app with a new key, client id and client secret. */
export async function createApp({ parts, resource, scope, body }: Call) {
  const { database, sealer } = parts
  const secrets = newAppSecrets()
  const app = { _id: newId(), ...scope }
  const values = {
    ...body,
    _id: app._id,
    client_id: newClientId(),
    app_key: sealer.seal(secrets.app_key),
    client_secret: sealer.seal(secrets.client_secret),
  }
  const record = await database.transaction(async (tx) => {
    const made = await insert(tx, resource, scope, values)
    await registerAppSecrets(tx, sealer, app, secrets)
    return made
  })
  return answer(reveal(resource, sealer, record))
}

const overlapSeconds = 86_400

export async function rotateApp({ parts, scope, id, body }: CallOf<'apps', 'rotate'>) {
  const overlap = body.overlap ?? overlapSeconds
  return answer((await replaceSecrets(parts, scope, id, overlap)).record)
}

/** Creates new secrets for an app. The old ones keep working for `overlap` seconds. */
export async function replaceSecrets(
  parts: Parts,
  scope: Scope,
  id: string,
  overlap: number,
): Promise<{ record: string; secrets: AppSecrets }> {
  const { database, sealer, principals } = parts
  const secrets = newAppSecrets()
  const record = await database.transaction(async (tx) => {
    const values = {
      app_key: sealer.seal(secrets.app_key),
      client_secret: sealer.seal(secrets.client_secret),
    }
    const changed = await update(tx, catalog.apps, scope, id, values)
    if (!changed) throw notFound(catalog.apps.name)
    await registerAppSecrets(tx, sealer, { ...scope, _id: id }, secrets, overlap)
    return changed
  })
  principals.forget()
  return { record: reveal(catalog.apps, sealer, record), secrets }
}

/** Keeps the prefix and the last four characters, so that secrets can be told apart. */
const masked = (secret: unknown) => String(secret).replace(/^(.*_).*(.{4})$/, '$1…$2')

/**
 * Masks secrets for named keys, which they would outlive, and for publishers in the dashboard, because a session may be
 * left open. publishers/keys.ts returns the complete ones.
 */
export const withMaskedSecrets = deriving((records, { resource, principal }) => {
  const names = principal.kind === 'admin' ? [] : secretFields(resource)
  return records.map((record) => Object.fromEntries(names.map((name) => [name, masked(record[name])])))
})

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
  const { device_link_url } = own
  return answer(JSON.stringify({ ...own, ...fields, device_link_url, featured_playlist_id }))
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
