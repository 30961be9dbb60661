import { callerKinds } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import type { Db } from '../db/database.js'
import { forbidden, unavailable } from '../errors.js'
import { credentialOf, identify } from '../http/credential.js'
import { whileAlive } from '../http/while-alive.js'
import { isId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'

/** The caller is known before a byte of the body is read, so the credential cannot be in it. */
export async function admit(parts: Parts, request: FastifyRequest): Promise<Principal> {
  const found = identify(parts.principals, credentialOf(request, undefined))
  const principal = await whileAlive(parts.database.db, found, () => unavailable(undefined))
  request.caller = principal
  if (principal.kind === 'admin') return principal
  throw forbidden(`This credential may not upload. ${callerKinds[principal.kind].about}`)
}

/** Whether a film may be for this video. */
export const isVideo = async (db: Db, site_id: string, _id: string): Promise<boolean> =>
  isId(_id) &&
  (await db`select from videos where site_id = ${site_id} and _id = ${_id} and deleted_at is null`).length > 0
