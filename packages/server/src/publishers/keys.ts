import type { ApiKey, AppSecrets } from '@zoetrope/contract'
import { describeKeys, type KeyKind, keyKinds, newestKey, rotateKey } from '../auth/keys.js'
import { invalidParameter, notFound } from '../errors.js'
import { replaceSecrets } from '../features/apps.js'
import type { ChannelEndpoint, EndpointResult, InChannel } from './request.js'

export const listKeys: ChannelEndpoint<readonly ApiKey[]> = async ({ parts, siteId }) => ({
  body: await describeKeys(parts.database.db, parts.sealer, siteId),
})

function kindIn({ params }: InChannel): KeyKind {
  const kind = keyKinds.find((each) => each === params.kind)
  if (!kind) throw notFound('key')
  return kind
}

export async function revealKey(visit: InChannel): Promise<EndpointResult<{ key: string }>> {
  const { parts, siteId } = visit
  const kind = kindIn(visit)
  const key = await newestKey(parts.database.db, parts.sealer, siteId, kind)
  if (!key) throw notFound('key')
  return { body: { key } }
}

const longestHours = 720

function overlapIn({ body }: InChannel): number {
  const hours = body.overlap_hours ?? 24
  if (typeof hours === 'number' && Number.isFinite(hours) && hours >= 0 && hours <= longestHours) return hours
  throw invalidParameter('overlap_hours', `is a number of hours from 0 to ${longestHours}`)
}

/** Creates a new key; the old one works until the overlap ends. */
export const replaceKey: ChannelEndpoint<{ key: string; previous_until: string }> = async (visit) => {
  const { parts, siteId, keepKey } = visit
  const kind = kindIn(visit)
  const seconds = Math.round(overlapIn(visit) * 3600)
  const key = await parts.database.transaction((tx) => rotateKey(tx, parts.sealer, siteId, kind, seconds))
  parts.principals.forget()
  await keepKey(siteId, kind, key)
  return { body: { key, previous_until: new Date(Date.now() + seconds * 1000) } }
}

/** The complete app key and client secret. */
export const revealApp: ChannelEndpoint<AppSecrets> = async ({ parts, siteId, params }) => {
  const { database, sealer } = parts
  const [app] = await database.db<{ app_key: Buffer; client_secret: Buffer }[]>`
    select app_key, client_secret from apps where site_id = ${siteId} and _id = ${params.id ?? ''}
  `
  if (!app) throw notFound('app')
  return { body: { app_key: sealer.unseal(app.app_key), client_secret: sealer.unseal(app.client_secret) } }
}

/** Creates new secrets; the old ones work until the overlap ends. */
export async function replaceApp(visit: InChannel): Promise<EndpointResult<AppSecrets>> {
  const { parts, siteId, params } = visit
  const seconds = Math.round(overlapIn(visit) * 3600)
  const { secrets } = await replaceSecrets(parts, { site_id: siteId }, params.id ?? '', seconds)
  return { body: secrets }
}
