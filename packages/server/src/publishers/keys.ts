import type { ApiKey } from '@zoetrope/contract'
import { describeKeys, type KeyKind, keyKinds, newestKey, rotateKey } from '../auth/keys.js'
import { invalid, notFound } from '../errors.js'
import type { Denied, EndpointResult, InChannel } from './request.js'

export const listKeys = async ({ parts, siteId }: InChannel): Promise<EndpointResult<readonly ApiKey[]>> => ({
  body: await describeKeys(parts.database.db, parts.sealer, siteId),
})

function kindIn({ params }: InChannel): KeyKind {
  const kind = keyKinds.find((each) => each === params.kind)
  if (!kind) throw notFound('key')
  return kind
}

/**
 * Keys are shown only to publishers who recently gave their password, because a session may have been left
 * open.
 */
export const unconfirmed: Denied = {
  status: 403,
  body: { message: 'Confirm with your password first.', code: 'confirm_required', confirm_required: true },
}

export async function revealKey(visit: InChannel): Promise<EndpointResult<{ key: string }>> {
  const { parts, siteId, session } = visit
  const kind = kindIn(visit)
  if (!session.confirmed) return unconfirmed
  const key = await newestKey(parts.database.db, parts.sealer, siteId, kind)
  if (!key) throw notFound('key')
  return { body: { key } }
}

const longestHours = 720

export function overlapIn({ body }: InChannel): number {
  const hours = body.overlap_hours ?? 24
  if (typeof hours === 'number' && Number.isFinite(hours) && hours >= 0 && hours <= longestHours) return hours
  const why = `is a number of hours from 0 to ${longestHours}`
  throw invalid(`overlap_hours ${why}.`, { overlap_hours: [why] })
}

/** Creates a new key; the old one works until the overlap ends. */
export async function replaceKey(
  visit: InChannel,
): Promise<EndpointResult<{ key: string; previous_until: string }>> {
  const { parts, siteId, session, keepKey } = visit
  const kind = kindIn(visit)
  const seconds = Math.round(overlapIn(visit) * 3600)
  if (!session.confirmed) return unconfirmed
  const key = await parts.database.transaction((tx) => rotateKey(tx, parts.sealer, siteId, kind, seconds))
  parts.principals.forget()
  await keepKey(siteId, kind, key)
  return { body: { key, previous_until: new Date(Date.now() + seconds * 1000) } }
}
