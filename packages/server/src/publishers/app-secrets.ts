import type { AppSecrets } from '@zoetrope/contract'
import { notFound } from '../errors.js'
import { replaceSecrets } from '../features/apps.js'
import { overlapIn, unconfirmed } from './keys.js'
import type { EndpointResult, InChannel } from './request.js'

/** The complete app key and client secret, for publishers who recently gave their password. */
export async function revealApp({
  parts,
  siteId,
  session,
  params,
}: InChannel): Promise<EndpointResult<AppSecrets>> {
  if (!session.confirmed) return unconfirmed
  const { database, sealer } = parts
  const [app] = await database.db<{ app_key: Buffer; client_secret: Buffer }[]>`
    select app_key, client_secret from apps where site_id = ${siteId} and _id = ${params.id ?? ''}
  `
  if (!app) throw notFound('app')
  return { body: { app_key: sealer.unseal(app.app_key), client_secret: sealer.unseal(app.client_secret) } }
}

/** Creates new secrets; the old ones work until the overlap ends. */
export async function replaceApp(visit: InChannel): Promise<EndpointResult<AppSecrets>> {
  const { parts, siteId, session, params } = visit
  const seconds = Math.round(overlapIn(visit) * 3600)
  if (!session.confirmed) return unconfirmed
  const { secrets } = await replaceSecrets(parts, { site_id: siteId }, params.id ?? '', seconds)
  return { body: secrets }
}
