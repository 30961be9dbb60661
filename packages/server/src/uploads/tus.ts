import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatOf, mediaTypes } from '../api/format.js'
import { refuseWithFile } from '../api/one-transaction.js'
import { writeXml } from '../api/xml.js'
import { forbidden, invalid, notFound, notPossible, unavailable } from '../errors.js'
import {
  beginUpload,
  discardUpload,
  findUpload,
  noteArrival,
  offsetOf,
  type TusUpload,
} from '../films/uploads.js'
import { whileAlive } from '../lib/while-alive.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { hasReason } from '../storage/storage-error.js'
import { checkTarget, enter, refundUpload, type Uploader } from './admit.js'
import { asUploader, requestOf } from './as-uploader.js'
import { tooLargeFor } from './receive-upload.js'
import { createFinish, type FinishTus } from './tus-finish.js'
import {
  bytesType,
  readBytes,
  readMetadata,
  TusRefusal,
  tusAlgorithms,
  tusExtensions,
  tusVersion,
} from './tus-protocol.js'
import { receiveBytes } from './tus-receive.js'

const path = '/uploads/tus'

interface TusCall {
  readonly parts: Parts
  readonly media: MediaParts
  readonly finish: FinishTus
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}
type TusHandler = (call: TusCall) => Promise<FastifyReply>

/** Uploads that survive a broken connection: tus 1.0.0, see tus.io. */
export function addTus(app: FastifyInstance, parts: Parts, media: MediaParts): void {
  const finish = createFinish(parts, media)
  const add = (url: string, answers: Readonly<Record<string, TusHandler>>) =>
    app.route({
      method: ['OPTIONS', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      exposeHeadRoute: false,
      onRequest: async (_request, reply) => void reply.header('tus-resumable', tusVersion),
      errorHandler: sendRefusal,
      handler: (request, reply) => {
        const method = methodOf(request)
        const answer = answers[method]
        if (!answer) throw notPossible(method, Object.keys(answers).join(', '))
        if (method !== 'OPTIONS' && request.headers['tus-resumable'] !== tusVersion)
          throw new TusRefusal(412, `Send the header Tus-Resumable: ${tusVersion}.`)
        if (method === 'POST' || method === 'PATCH') refuseWithFile(request, {})
        return answer({ parts, media, finish, request, reply })
      },
    })
  add(path, { OPTIONS: describe, POST: create })
  add(`${path}/:id`, { OPTIONS: describe, HEAD: tell, PATCH: proceed, DELETE: terminate })
}

/** Some networks allow only GET and POST; clients there send the method in a header. */
function methodOf({ method, headers }: FastifyRequest): string {
  const meant = headers['x-http-method-override']
  return typeof meant === 'string' ? meant.toUpperCase() : method
}

function sendRefusal(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof TusRefusal)) throw error
  if (error.status === 412) reply.header('tus-version', tusVersion)
  const { code, message } = error
  const body = { message, code, request_id: request.id }
  const format = formatOf(request)
  return reply
    .status(error.status)
    .header('cache-control', 'no-store')
    .type(mediaTypes[format])
    .send(format === 'json' ? JSON.stringify(body) : writeXml('error', body, 'error', {}))
}

const describe: TusHandler = async ({ media, reply }) =>
  reply
    .status(204)
    .headers({
      'tus-version': tusVersion,
      'tus-extension': tusExtensions,
      'tus-max-size': String(media.maxUploadBytes),
      'tus-checksum-algorithm': tusAlgorithms,
    })
    .send()

const create: TusHandler = async (call) => {
  const uploader = await enter(call.parts, call.request)
  try {
    return await begin(call, uploader)
  } catch (error) {
    await refundUpload(call.parts, uploader)
    throw error
  }
}

async function begin(call: TusCall, uploader: Uploader): Promise<FastifyReply> {
  const { siteId, grant, actor } = uploader
  const { parts, media, request, reply } = call
  const length = readLength(request)
  if (length > (grant?.max_bytes ?? length)) throw tooLargeFor(grant?.max_bytes ?? length)
  const metadata = String(request.headers['upload-metadata'] ?? '')
  const { file_name, target } = readMetadata(metadata, grant)
  checkTarget(uploader, target)
  const made = {
    site_id: siteId,
    video_id: 'video_id' in target ? target.video_id : null,
    length,
    file_name,
    metadata,
    hidden: grant ? !grant.active : false,
    created_by: actor,
  }
  const upload = await asUploader(parts, { siteId, actor, requestId: request.id }, ({ database }) =>
    beginUpload(database, media, made),
  )
  if ('video_id' in target) parts.freshness.touch(siteId, catalog.videos.plural)
  reply.status(201).header('location', `${path}/${upload._id}`)
  if (!hasBytes(request)) return reply.headers(expiry(upload)).send()
  try {
    return await receive(call, upload, 0)
  } catch (error) {
    // The address of the upload stays secret.
    reply.removeHeader('location')
    await discard(call, upload)
    throw error
  }
}

function readLength({ headers }: FastifyRequest): number {
  if (headers['upload-concat'] !== undefined)
    throw invalid(
      'Uploads are not put together from parts here. Send the file as one upload, a piece at a time.',
    )
  if (headers['upload-defer-length'] !== undefined)
    throw invalid(
      'The length of the file has to be known from the start. Send it in the header Upload-Length.',
    )
  const length = readBytes('Upload-Length', headers['upload-length'])
  if (length === 0) throw invalid('The file is empty.')
  return length
}

const hasBytes = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() === bytesType

const expiry = ({ expires_at }: TusUpload) => ({ 'upload-expires': expires_at.toUTCString() })

/** Anyone who knows the address of an upload may continue it: a page receives it, and needs no key. */
async function uploadOf({ parts, request }: TusCall): Promise<TusUpload> {
  const { db } = parts.database
  const { id } = request.params as { id: string }
  const upload = await whileAlive(parts.database, findUpload(db, id), () => unavailable(undefined))
  if (!upload) throw notFound('upload')
  if (upload.expires_at.getTime() <= Date.now())
    throw new TusRefusal(410, 'No bytes of this upload arrived for 24 hours, so it was given up.')
  return upload
}

const tell: TusHandler = async (call) => {
  const upload = await uploadOf(call)
  const offset = await offsetOf(call.media, upload)
  call.reply.status(200).headers({
    'upload-length': String(upload.length),
    'cache-control': 'no-store',
    ...(upload.metadata === '' ? {} : { 'upload-metadata': upload.metadata }),
  })
  return progress(call, upload, offset)
}

const proceed: TusHandler = async (call) => {
  if (!hasBytes(call.request)) throw new TusRefusal(415, `Send the bytes as ${bytesType}.`)
  const at = readBytes('Upload-Offset', call.request.headers['upload-offset'])
  const upload = await uploadOf(call)
  const offset = await offsetOf(call.media, upload)
  if (at !== offset) throw new TusRefusal(409, `The upload continues at ${offset}, not at ${at}.`)
  call.reply.status(204)
  return at === upload.length ? progress(call, upload, at) : receive(call, upload, at)
}

async function receive(call: TusCall, upload: TusUpload, at: number): Promise<FastifyReply> {
  const { parts, media, request } = call
  const { db } = parts.database
  try {
    const offset = await receiveBytes(parts, media, upload, at, request.raw)
    return progress(call, await noteArrival(db, upload, offset), offset)
  } catch (error) {
    // Bytes received before that are kept. A storage that is away cannot say how many.
    if (!hasReason(error, 'away'))
      await offsetOf(media, upload)
        .then((arrived) => noteArrival(db, upload, arrived))
        .catch(() => {})
    throw error
  }
}

/**
 * Sends the offset. A complete upload becomes a video first, even on HEAD: a client that sees the full offset
 * sends nothing more.
 */
async function progress(call: TusCall, upload: TusUpload, offset: number): Promise<FastifyReply> {
  const { finish, request, reply } = call
  const known = offset === upload.length ? await finish(upload, request.id) : upload
  if (known.finished_at) reply.header('x-video-id', known.video_id)
  return reply.headers({ 'upload-offset': String(offset), ...expiry(known) }).send()
}

const discard = ({ parts, media, request }: TusCall, upload: TusUpload) =>
  asUploader(parts, requestOf(upload, request.id), ({ database }) => discardUpload(database, media, upload))

const terminate: TusHandler = async (call) => {
  const upload = await uploadOf(call)
  if (await discard(call, upload)) {
    call.parts.freshness.touch(upload.site_id, catalog.videos.plural)
    return call.reply.status(204).send()
  }
  throw forbidden('This upload is finished, and its file belongs to a video. Remove the video instead.')
}
