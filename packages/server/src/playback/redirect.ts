import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Playback } from './playback.js'

/** How long the store accepts an address that we signed. */
const longestSeconds = 900

interface StoredFilm {
  readonly key: string
  readonly type: string
  /** Until when the address that was requested works, in milliseconds since 1970. */
  readonly expires: number
  readonly caching: Readonly<Record<'cache-control', string>>
  /** A file name, if it is to be saved. */
  readonly disposition?: string
}

/**
 * Sends the viewer on to the store, if films are delivered by it and it has the object. Its address expires with ours at the
 * latest, and caches forget it before. Returns false if the object has to be sent from here. (Fastify replies are thenable,
 * hence the boolean.)
 */
export async function redirectToStore(
  { media, storeUrl }: Playback,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, type, expires, caching, disposition }: StoredFilm,
): Promise<boolean> {
  const seconds = Math.min(longestSeconds, Math.floor((expires - Date.now()) / 1000))
  // The store's signature covers the method.
  if (storeUrl === undefined || request.method !== 'GET' || seconds < 1) return false
  const options = { seconds, type, ...(disposition ? { disposition } : {}) }
  const address = await media.storage.direct(key, options)
  if (!address) return false
  const [whose = ''] = caching['cache-control'].split(',')
  const mayKeep = !caching['cache-control'].includes('no-store')
  reply
    .headers({
      'cache-control': mayKeep ? `${whose}, max-age=${Math.floor(seconds / 2)}` : 'private, no-store',
    })
    .header('cross-origin-resource-policy', 'cross-origin')
    .redirect(address, 302)
  return true
}
