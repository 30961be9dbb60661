import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fields } from '../api/body.js'
import { identifyEarly, identifyUploader } from '../api/credential.js'
import { formatOf, mediaTypes, render } from '../api/format.js'
import type { Handler } from '../api/steps.js'
import { ApiError, interrupted, invalid } from '../errors.js'
import { claimRoom } from '../films/quota.js'
import { whileAlive } from '../lib/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { authenticateUploader } from './admit.js'
import { asUploader } from './as-uploader.js'
import { announceUpload, recordUpload } from './finish-upload.js'
import { type ReceivedFile, receiveUpload } from './receive-upload.js'
import { addTus } from './tus.js'

/**
 * Uploads in a single request. They have their own scope, so that bodies are not read before the handler
 * does. Requests to /videos without a file go to `withoutFile`.
 */
export function addUploads(
  app: FastifyInstance,
  parts: Parts,
  media: MediaParts,
  withoutFile: Handler,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  addTus(app, parts, media)

  const add = (url: string, body: 'multipart' | 'bytes', handler: Handler) =>
    app.route({ method: 'POST', url, constraints: { body }, handler })
  add('/videos', 'multipart', async (request, reply) => {
    await identifyEarly(parts, request, identifyUploader)
    const received = await receiveUpload(parts, media, request)
    if ('source' in received)
      return sendVideo(request, reply, await upload(parts, media, received, request.id))
    request.body = { tree: received.fields, written: 'form' } satisfies Fields
    return withoutFile(request, reply)
  })
  add('/uploads', 'multipart', async (request, reply) => {
    await identifyEarly(parts, request, identifyUploader)
    const received = await receiveUpload(parts, media, request)
    if ('source' in received)
      return sendVideo(request, reply, await upload(parts, media, received, request.id))
    await authenticateUploader(parts, request, received.fields)
    throw invalid('There is no file. Send it in a part named source.')
  })
  add('/uploads', 'bytes', async (request) => {
    await authenticateUploader(parts, request)
    throw invalid('Send the file as multipart/form-data, in a part named source.')
  })
}

function sendVideo(request: FastifyRequest, reply: FastifyReply, record: string): FastifyReply {
  const format = formatOf(request)
  return reply
    .status(201)
    .type(mediaTypes[format])
    .send(render(format, `{"response":${record}}`, catalog.videos))
}

async function upload(
  parts: Parts,
  media: MediaParts,
  received: ReceivedFile,
  requestId: string,
): Promise<string> {
  const { source, target, uploader, discard } = received
  try {
    const recording = asUploader(parts, { ...uploader, requestId }, ({ database }) =>
      database.transaction(async (tx) => {
        await claimRoom(tx, media, source.site_id, source.size)
        return recordUpload(tx, parts, source, target, uploader.actor)
      }),
    )
    const { record } = await whileAlive(parts.database, recording, () => interrupted(undefined))
    await announceUpload(parts, source, target)
    return record
  } catch (error) {
    // After any other failure the row may still have been written; if not, the file is swept up later.
    if (error instanceof ApiError && error.status < 500) await discard()
    throw error
  }
}
