import type { FastifyInstance } from 'fastify'
import { notFound, unavailable } from '../errors.js'
import { isId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import { addReading, inPath, type Playback } from './playback.js'

/** Publishers' images, for anyone who knows the address: pages show them without a credential. */
export function addImages(app: FastifyInstance, { parts }: Playback): void {
  addReading(app, '/images/:id/:file', async (request, reply) => {
    const [_id, file] = [inPath(request, 'id'), inPath(request, 'file')]
    const { db } = parts.database
    if (!isId(_id) || !/^[0-9a-f]{32}\.[a-z]+$/.test(file)) throw notFound('image')
    const find = db<{ content_type: string; bytes: Buffer }[]>`
      select content_type, bytes from image_files
      where _id = ${_id} and word || '.' || replace(content_type, 'image/', '') = ${file}
    `
    const [image] = await whileAlive(parts.database, find, () => unavailable(undefined))
    if (!image) throw notFound('image')
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      })
      .type(image.content_type)
      .send(image.bytes)
  })
}
