import { callerKinds, catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import { ApiError, forbidden, interrupted, invalid, unavailable } from '../errors.js'
import { credentialOf, identify } from '../http/credential.js'
import { formatOf, mediaTypes, render } from '../http/format.js'
import { whileAlive } from '../http/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { finishUpload } from './finish-upload.js'
import { linger } from './linger.js'
import { receiveUpload } from './receive-upload.js'
import { addTus } from './tus.js'

/** Uploads in one request. The scope is their own: its bodies are not read before the handler asks for them. */
export function addUploads(app: FastifyInstance, parts: Parts, media: MediaParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  addTus(app, parts, media)
  app.route({
    method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
    url: '/uploads',
    onSend: linger,
    async handler(request, reply) {
      if (request.method !== 'POST')
        throw new ApiError(405, `${request.method} is not possible here. Possible: POST.`, {
          headers: { allow: 'POST' },
        })
      const principal = await admit(parts, request)
      const record = await upload(parts, media, principal, request)
      const format = formatOf(request)
      return reply
        .status(201)
        .type(mediaTypes[format])
        .send(render(format, `{"response":${record}}`, catalog.videos))
    },
  })
}

/** The caller is known before a byte of the body is read, so the credential cannot be in it. */
async function admit(parts: Parts, request: FastifyRequest): Promise<Principal> {
  const principal = await whileAlive(
    parts.database.db,
    identify(parts.principals, credentialOf(request, undefined)),
    () => unavailable(undefined),
  )
  request.caller = principal
  if (principal.kind !== 'admin')
    throw forbidden(`This credential may not upload. ${callerKinds[principal.kind].about}`)
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? ''))
    throw invalid('Send the file as multipart/form-data, in a part named source.')
  return principal
}

async function upload(
  parts: Parts,
  media: MediaParts,
  principal: Principal,
  request: FastifyRequest,
): Promise<string> {
  const { source, wish } = await receiveUpload(parts, media, principal, request)
  try {
    return await whileAlive(parts.database.db, finishUpload(parts, principal, source, wish), () =>
      interrupted(undefined),
    )
  } catch (error) {
    // After any other failure the row may have been written all the same; if it was not, the file is swept up later.
    if (error instanceof ApiError && error.status < 500) await source.discard()
    throw error
  }
}
