import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.js'
import { cuesFile, pictureKey, pictureType, storyboardWord } from '../films/pictures.js'
import { isId } from '../lib/object-id.js'
import type { Source } from '../media-segments/source-plan.js'
import { hasReason } from '../storage/storage-error.js'
import { addReading, inPath, type Playback } from './playback.js'
import { immutable, sendObject } from './send-object.js'

/** Pictures of videos, for anyone who knows the address: pages show them without a credential. */
export function addPictures(app: FastifyInstance, { media }: Playback): void {
  addReading(app, '/pictures/:source_id/:file', async (request, reply) => {
    const [source_id, file] = [inPath(request, 'source_id'), inPath(request, 'file')]
    const type = isId(source_id) ? pictureType(file) : undefined
    const object = type && (await media.storage.read(pictureKey(source_id, file)))
    if (!object) throw notFound('picture')
    return sendObject(request, reply, object, type, immutable)
  })
}

/** The address of the storyboard, once it exists. */
export async function storyboardOf(
  { parts, media }: Playback,
  source: Source | undefined,
): Promise<string | undefined> {
  if (!source?.plan.facts.video) return undefined
  const key = pictureKey(source._id, cuesFile(storyboardWord(parts.sealer, source._id)))
  const facts = await media.storage.stat(key).catch((error: unknown) => {
    // The film plays on without it.
    if (hasReason(error, 'away')) return undefined
    throw error
  })
  return facts && `${parts.mediaUrl}/${key}`
}
