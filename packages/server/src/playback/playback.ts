import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatOf, mediaTypes } from '../api/format.js'
import type { Handler } from '../api/steps.js'
import { writeXml } from '../api/xml.js'
import { notPossible } from '../errors.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import type { Parts } from '../resources/feature.js'
import { type KnownParameters, reportIgnored } from './ignored-parameters.js'
import type { RequestCounts } from './request-counts.js'

/** What the playback routes depend on. */
export interface Playback {
  readonly parts: Parts
  readonly media: MediaParts
  /** Public address of the player. */
  readonly playerUrl: string
  /** The origins from which players load media. */
  readonly mediaUrls: readonly string[]
  /** The origin of the store that viewers are sent on to; undefined if the server sends films itself. */
  readonly storeUrl: string | undefined
  readonly requests: RequestCounts
}

type OnError = (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>

const reading = ['GET', 'HEAD']

/** Adds a GET route; HEAD uses the same handler. */
export function addReading(
  app: FastifyInstance,
  url: string,
  handler: Handler,
  errorHandler?: OnError,
  parameters?: KnownParameters,
): void {
  app.route({
    method: [...reading, 'POST', 'PUT', 'DELETE', 'PATCH'],
    url,
    async handler(request, reply) {
      if (!reading.includes(request.method)) throw notPossible(request.method, 'GET', 'GET, HEAD')
      if (parameters) reportIgnored(request, reply, parameters)
      return handler(request, reply)
    },
    ...(errorHandler ? { errorHandler } : {}),
  })
}

/** Counts a request for a video's player. HEAD requests and previews in the dashboard do not count. */
export function countRequest(
  { requests }: Playback,
  { method }: FastifyRequest,
  {
    seen,
    video,
    isPreview,
  }: {
    readonly seen: { readonly site_id: string }
    readonly video: { readonly record: { readonly _id: string } }
    readonly isPreview: boolean
  },
): void {
  if (method === 'GET' && !isPreview) requests.add(seen.site_id, video.record._id)
}

/** The route parameter `name`. */
export const inPath = (request: FastifyRequest, name: string): string =>
  (request.params as Readonly<Record<string, string>>)[name] ?? ''

/** Sends data in the requested format. */
export function sendData(
  request: FastifyRequest,
  reply: FastifyReply,
  data: { readonly response: object },
): FastifyReply {
  const format = formatOf(request)
  return reply
    .type(mediaTypes[format])
    .send(format === 'json' ? JSON.stringify(data) : writeXml('result', data, 'item', {}))
}

/** For responses to one caller that must not be reused. */
export const uncached = { 'cache-control': 'private, no-store' } as const

/** Playlists of films are long and repetitive: compressed they are a tenth of the size. */
export async function sendPlaylist(
  request: FastifyRequest,
  reply: FastifyReply,
  playlist: string,
): Promise<FastifyReply> {
  reply
    .headers({ ...uncached, 'cross-origin-resource-policy': 'cross-origin' })
    .header('vary', 'Origin, Accept-Encoding')
    .type('application/vnd.apple.mpegurl')
  if (!acceptsGzip(request)) return reply.send(playlist)
  const packed = await promisify(gzip)(playlist)
  return reply.header('content-encoding', 'gzip').send(packed)
}

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers['accept-encoding'] ?? '')
