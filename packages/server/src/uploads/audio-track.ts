import { type BodyOf, type Catalog, catalog, limits, pathOf, type Resource } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fields } from '../api/body.js'
import { nest, queryOf, type Tree } from '../api/brackets.js'
import { credentialOf, identify, identifyEarly } from '../api/credential.js'
import { formatOf, mediaTypes, render } from '../api/format.js'
import { operationInput, readInput } from '../api/input.js'
import { refuseWithFile } from '../api/one-transaction.js'
import type { Handler } from '../api/steps.js'
import { mayDo, notAllowed } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { type IncomingFile, type Pair, readMultipart } from '../edge/multipart.js'
import { ApiError, invalid, notFound, unavailable } from '../errors.js'
import { type AudioFile, recordAudioTrack } from '../features/audio-tracks/operations.js'
import { type Room, roomOf } from '../films/quota.js'
import { cleanFileName } from '../lib/file-name.js'
import { isId, newUnguessableId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import type { Parts } from '../resources/feature.js'
import { isSeen } from '../resources/store.js'
import { asUploader, callOf } from './as-uploader.js'
import { uploadError } from './receive-upload.js'

const { audio_tracks, videos } = catalog
const fileParts = ['file', 'audio_track[file]', 'source']
const input = operationInput(audio_tracks, 'create')

interface ReceivedAudio extends AudioFile {
  readonly principal: Principal
}

/** Accepts an audio file of any size for a video. Requests without one go to `withoutFile`. */
export function addAudioUploads(app: FastifyInstance, parts: Parts, withoutFile: Handler): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.route({
    method: 'POST',
    url: pathOf(audio_tracks, 'create'),
    constraints: { body: 'multipart' },
    async handler(request, reply) {
      const { parent_id: video_id } = request.params as { parent_id: string }
      await identifyEarly(parts, request)
      const { stored, tree } = await receive(parts, request, video_id)
      if (!stored) {
        request.body = { tree, written: 'form' } satisfies Fields
        return withoutFile(request, reply)
      }
      const scope = { site_id: stored.principal.siteId, video_id }
      const record = await withFileRemoved(parts, stored, async () => {
        // A second credential or dry_run may have followed the file.
        credentialOf(request, tree)
        refuseWithFile(request, tree)
        const body = readInput(input, { tree, written: 'form' }, queryOf(request))
        return asUploader(parts, callOf(stored.principal, request.id), (acting) => {
          const call = { parts: acting, resource: audio_tracks, scope }
          // The input has checked it against the contract.
          return recordAudioTrack(call, body as BodyOf<Catalog['audio_tracks'], 'create'>, stored)
        })
      })
      const format = formatOf(request)
      reply.status(201).type(mediaTypes[format])
      return reply.send(render(format, `{"response":${record}}`, audio_tracks))
    },
  })
}

/** Streams the file into the storage. If the request fails, no file remains. */
async function receive(
  parts: Parts,
  request: FastifyRequest,
  video_id: string,
): Promise<{ readonly stored: ReceivedAudio | undefined; readonly tree: Tree }> {
  const { storage } = parts.files
  const file_id = newUnguessableId()
  let room: Room | undefined
  const store = async (
    { name, body }: IncomingFile,
    before: readonly Pair[],
    signal: AbortSignal,
  ): Promise<ReceivedAudio> => {
    refuseWithFile(request, nest(before))
    const principal = await admitTo(parts, request, video_id, nest(before), [audio_tracks, 'create'])
    room = await roomOf(parts.database.db, parts.files, principal.siteId)
    // The fields come on top of the file.
    if (Number(request.headers['content-length'] ?? 0) > room.bytes + limits.body_bytes.value)
      throw room.refusal
    const digested = await storage.put(sourceKey(file_id), body, { maxBytes: room.bytes, signal })
    if (digested.size === 0) throw invalid('The file is empty.')
    return { ...digested, principal, file_id, file_name: cleanFileName(name) }
  }
  try {
    const { stored, pairs } = await readMultipart(request, { names: fileParts, small: [], store })
    return { stored, tree: nest(pairs) }
  } catch (error) {
    await storage.remove(sourceKey(file_id))
    throw uploadError(parts.files.storage, error, room)
  }
}

/** Removes the file if the fields beside it are refused. `recordAudioTrack` does so for its own refusals. */
async function withFileRemoved<T>(
  { files }: Parts,
  { file_id }: AudioFile,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRefusal(error)) await files.storage.remove(sourceKey(file_id))
    throw error
  }
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500

/** Authenticates the caller and finds the video before any byte of the file is read. */
export async function admitTo(
  parts: Parts,
  request: FastifyRequest,
  video_id: string,
  before: Tree,
  [resource, operation]: readonly [Resource, string],
): Promise<Principal> {
  const find = async () => {
    const principal = await identify(parts.principals, credentialOf(request, before))
    request.caller = principal
    const { siteId: site_id } = principal
    const isThere = isId(video_id) && (await isSeen(parts.database.db, videos, { site_id }, video_id, true))
    if (!isThere) throw notFound(videos.name)
    if (!mayDo(principal, resource, operation)) throw notAllowed(principal, resource, operation)
    return principal
  }
  return whileAlive(parts.database, find(), () => unavailable(undefined))
}
