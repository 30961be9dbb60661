import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalog, limits } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fields } from '../api/body.js'
import { nest } from '../api/brackets.js'
import { credentialOf, identifyEarly } from '../api/credential.js'
import { formatOf, mediaTypes, render } from '../api/format.js'
import { refuseWithFile } from '../api/one-transaction.js'
import type { Handler } from '../api/steps.js'
import type { Principal } from '../auth/principals.js'
import { watchBody } from '../edge/body-bounds.js'
import { type IncomingFile, type Pair, readMultipart } from '../edge/multipart.js'
import { ApiError, interrupted, invalid } from '../errors.js'
import { showImage } from '../features/videos/poster.js'
import { drawPictures, keepThumbnails, pictureWord, posterSizes } from '../films/pictures.js'
import { createTurns } from '../lib/in-turn.js'
import { newUnguessableId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import { setAside } from '../library/set-aside.js'
import { imagePlan } from '../media/image-args.js'
import { ImageRefused, readImageFacts, uprightSize } from '../media/image-facts.js'
import { MediaError } from '../media/media-error.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { asUploader, callOf } from './as-uploader.js'
import { admitTo } from './audio-track.js'

const { videos } = catalog
const imageParts = ['image', 'video[image]', 'file']
/** Decoding an image briefly takes much memory. */
const turns = createTurns(
  2,
  20,
  () =>
    new ApiError(503, 'Too many images arrived at once. Try again in a moment.', {
      headers: { 'Retry-After': '2' },
    }),
)

interface ReceivedImage {
  readonly principal: Principal
  readonly bytes: Buffer
}

/** Accepts an image as the poster of a video. Requests without one go to `withoutFile`. */
export function addPosterImages(
  app: FastifyInstance,
  parts: Parts,
  media: MediaParts,
  withoutFile: Handler,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.route({
    method: 'PUT',
    url: '/videos/:id/poster',
    constraints: { body: 'multipart' },
    async handler(request, reply) {
      const { id } = request.params as { id: string }
      await identifyEarly(parts, request)
      const take = async ({ body }: IncomingFile, before: readonly Pair[]): Promise<ReceivedImage> => {
        refuseWithFile(request, nest(before))
        const principal = await admitTo(parts, request, id, nest(before), [videos, 'poster'])
        return { principal, bytes: await collectImage(request, body) }
      }
      const { stored, pairs } = await readMultipart(request, { names: imageParts, small: [], store: take })
      if (!stored) {
        request.body = { tree: nest(pairs), written: 'form' } satisfies Fields
        return withoutFile(request, reply)
      }
      // A second credential or dry_run may have followed the file.
      credentialOf(request, nest(pairs))
      refuseWithFile(request, nest(pairs))
      const record = await turns('images', () =>
        asUploader(parts, callOf(stored.principal, request.id), (acting) =>
          setPoster(acting, media, stored, id),
        ),
      )
      const format = formatOf(request)
      return reply.type(mediaTypes[format]).send(render(format, `{"response":${record}}`, videos))
    },
  })
}

/** An image counts against the memory for bodies from its first byte. */
async function collectImage(request: FastifyRequest, body: IncomingFile['body']): Promise<Buffer> {
  const most = limits.image_bytes.value
  const chunks: Buffer[] = []
  const watch = watchBody(request, most + 1, (why) => void body.destroy(why))
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new ApiError(413, `An image has at most ${most.toLocaleString('en')} bytes.`)
    watch.note(chunk.length)
    chunks.push(chunk)
  }
  watch.complete()
  return Buffer.concat(chunks)
}

/** The pictures are stored before the record refers to them; unreferenced ones are swept up. */
async function setPoster(
  parts: Parts,
  media: MediaParts,
  received: ReceivedImage,
  id: string,
): Promise<string> {
  const { database, sealer, freshness, mediaUrl } = parts
  const { storage } = media
  const pictures = await draw(media, received.bytes)
  const _id = newUnguessableId()
  const owner = { owner_id: _id, word: pictureWord(sealer, _id) }
  const thumbnails = await keepThumbnails(storage, mediaUrl, owner, pictures)
  const scope = { site_id: received.principal.siteId }
  const showing = database.transaction((tx) =>
    showImage(tx, { resource: videos, scope, id }, { _id, thumbnails }),
  )
  const { record, replaced } = await whileAlive(database, showing, () => interrupted(undefined))
  await media.lease.noteArrival()
  freshness.touch(scope.site_id, videos.plural)
  if (replaced !== null) await setAside(database.db, storage, replaced)
  return record
}

async function draw({ storage, ...media }: MediaParts, bytes: Buffer) {
  const ffmpeg = media.ffmpeg.current()
  if (!ffmpeg) throw new ApiError(503, media.ffmpeg.problem())
  try {
    const facts = readImageFacts(bytes)
    const sizes = posterSizes(uprightSize(facts))
    return await storage.withScratch(async (folder) => {
      const path = join(folder, 'image')
      await writeFile(path, bytes)
      return drawPictures(ffmpeg, sizes, imagePlan(path, facts, sizes))
    })
  } catch (error) {
    if (error instanceof ImageRefused) throw badImage(error.message)
    if (error instanceof MediaError) throw badImage('The image is damaged, or not what it says it is.')
    throw error
  }
}

const badImage = (why: string) => invalid(why, { image: [why] })
