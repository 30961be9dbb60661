import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../../api/brackets.js'
import { isWorthCompressing } from '../../edge/compression.js'
import { originOf } from '../../edge/origin.js'
import { sendTagged } from '../../edge/tagged-answer.js'
import { invalid, unavailable } from '../../errors.js'
import { whileAlive } from '../../lib/while-alive.js'
import { addReading, inPath, type Playback } from '../playback.js'
import { writeJson } from './feed-json.js'
import { readFeed } from './feed-page.js'
import { writeMrss, writeRss } from './feed-xml.js'

const forms = {
  mrss: { type: 'application/rss+xml; charset=utf-8', write: writeMrss },
  rss: { type: 'application/rss+xml; charset=utf-8', write: writeRss },
  json: { type: 'application/feed+json; charset=utf-8', write: writeJson },
} as const

/** Playlists as feeds, for anyone with a feed key. */
export function addFeeds(app: FastifyInstance, playback: Playback): void {
  const { database, apiUrl } = playback.parts
  for (const [form, { type, write }] of Object.entries(forms))
    addReading(app, `/feeds/:id/${form}`, async (request, reply) => {
      const id = inPath(request, 'id')
      const key = keyIn(request)
      const reading = readFeed(playback, { id, key, page: queryOf(request).page, origin: originOf(request) })
      const page = await whileAlive(database, reading, () => unavailable(undefined))
      const place = (number?: number) =>
        `${apiUrl}/feeds/${id}/${form}?feed_key=${encodeURIComponent(key)}${number === undefined ? '' : `&page=${number}`}`
      const { next } = page
      return sendFeed(
        request,
        reply,
        type,
        write(page, { self: place(), next: next === undefined ? undefined : place(next) }),
      )
    })
}

/** In the address, for readers that support nothing else, or in a header. */
function keyIn(request: FastifyRequest): string {
  const inQuery = queryOf(request).feed_key
  const inHeader = request.headers['x-feed-key']
  if (inQuery !== undefined && inHeader !== undefined) throw invalid('Send the key of the feed once.')
  const given = inQuery ?? inHeader ?? ''
  return typeof given === 'string' ? given : ''
}

/** Readers send the key themselves and no cookie, so compression leaks nothing to third parties. */
function sendFeed(request: FastifyRequest, reply: FastifyReply, type: string, body: string): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  reply.header('cache-control', 'private, max-age=300')
  return sendTagged(request, reply, { body, type, etag, isCompressible: isWorthCompressing(body) })
}
