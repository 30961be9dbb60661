import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Principal } from '../auth/principals.js'
import { ApiError, interrupted, invalid } from '../errors.js'
import { formatOf, mediaTypes, render } from '../http/format.js'
import { whileAlive } from '../http/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { admit } from './admit.js'
import { announceUpload, recordUpload } from './finish-upload.js'
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
      if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? ''))
        throw invalid('Send the file as multipart/form-data, in a part named source.')
      const record = await upload(parts, media, principal, request)
      const format = formatOf(request)
      return reply
        .status(201)
        .type(mediaTypes[format])
        .send(render(format, `{"response":${record}}`, catalog.videos))
    },
  })
}

async function upload(
  parts: Parts,
  media: MediaParts,
  principal: Principal,
  request: FastifyRequest,
): Promise<string> {
  const { source, wish } = await receiveUpload(parts, media, principal, request)
  try {
    const recording = parts.database.transaction((tx) => recordUpload(tx, parts, source, wish))
    const { record } = await whileAlive(parts.database.db, recording, () => interrupted(undefined))
    await announceUpload(parts, source, wish)
    return record
  } catch (error) {
    // After any other failure the row may have been written all the same; if it was not, the file is swept up later.
    if (error instanceof ApiError && error.status < 500) await source.discard()
    throw error
  }
}
