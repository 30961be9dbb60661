import { aboutCaller, type CallerKind, catalog } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import type { Tree } from '../api/brackets.js'
import { credentialOf, identifyUploader } from '../api/credential.js'
import { mayDo, notAllowed } from '../auth/access.js'
import { actorOf } from '../auth/actor.js'
import type { Principal } from '../auth/principals.js'
import { refundUploadToken, spendUploadToken, type UploadGrant } from '../auth/upload-tokens.js'
import { ApiError, forbidden, unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Parts } from '../resources/feature.js'
import type { UploadTarget } from './upload-target.js'

/** Who uploads, and what they may upload. */
export interface Uploader {
  readonly siteId: string
  /** The grant of their token; a key may upload anything. */
  readonly grant: UploadGrant | undefined
  /** The caller, for the history of the created records. */
  readonly actor: string
  /** Whether they may add a film to a video that exists. */
  readonly mayChangeVideos: boolean
}

const uploaders: ReadonlySet<CallerKind> = new Set(['admin', 'owner', 'editor', 'upload'])

/**
 * Authenticates the caller before any byte of a file is read, so a credential in the body must precede the
 * file.
 */
export async function authenticateUploader(
  parts: Parts,
  request: FastifyRequest,
  before?: Tree,
): Promise<Principal> {
  const found = identifyUploader(parts.principals, credentialBefore(request, before))
  const principal = await whileAlive(parts.database, found, () => unavailable(undefined))
  request.caller = principal
  if (principal.kind === 'named') return checkScope(principal, request)
  if (uploaders.has(principal.kind)) return principal
  throw forbidden(`This credential may not upload. ${aboutCaller(principal.kind)}`)
}

/** A named key needs the scope of the path that it uploads to. */
function checkScope(principal: Principal, { routeOptions: { url } }: FastifyRequest): Principal {
  const resource = url === '/videos' ? catalog.videos : catalog.uploads
  if (!mayDo(principal, resource, 'create')) throw notAllowed(principal, resource, 'create')
  return principal
}

function credentialBefore(request: FastifyRequest, before: Tree | undefined) {
  try {
    return credentialOf(request, before)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw new ApiError(
      401,
      `${error.message} Put the key or the upload token into a header, into the address, or into a field before the file.`,
    )
  }
}

/** Admits the caller of a new upload and counts it against the token. */
export async function enter(parts: Parts, request: FastifyRequest, before?: Tree): Promise<Uploader> {
  const principal = await authenticateUploader(parts, request, before)
  const { siteId, uploadTokenId } = principal
  const actor = actorOf(principal)
  const mayChangeVideos = principal.kind !== 'named' || mayDo(principal, catalog.videos, 'update')
  if (uploadTokenId === undefined) return { siteId, grant: undefined, actor, mayChangeVideos }
  const { db } = parts.database
  const grant = await whileAlive(parts.database, spendUploadToken(db, siteId, uploadTokenId), () =>
    unavailable(undefined),
  )
  if (grant) return { siteId, grant, actor, mayChangeVideos }
  throw forbidden('This upload token has no uploads left, or has expired. Ask for another.')
}

/** Refunds an upload that failed. */
export async function refundUpload(
  { database: { db } }: Parts,
  { grant }: Pick<Uploader, 'grant'>,
): Promise<void> {
  if (grant) await refundUploadToken(db, grant)
}

/** A named key that only uploads must not change a video that exists. */
export function checkTarget({ mayChangeVideos }: Uploader, target: UploadTarget): void {
  if ('video_id' in target && !mayChangeVideos)
    throw forbidden('To add a file to an existing video, this key needs the scope videos:write.')
}
