import { gzip, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'

/** What is shorter fits into one packet either way. */
const shortest = 1024
/** A thread takes a millisecond to answer; up to this length compressing takes less. */
const longestAtOnce = 262_144
/** The quickest. The best makes a list a tenth smaller and takes three times as long. */
const level = 1

export const isWorthCompressing = (body: string | Buffer): boolean => body.length >= shortest

const gzipNames = new Set(['gzip', 'x-gzip', '*'])

/** The last header and what it allows: most callers send the same one. */
let lastHeader = ''
let lastAnswer = false

/** Whether Accept-Encoding allows gzip. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false
  if (acceptEncoding !== lastHeader) {
    lastAnswer = allowsGzip(acceptEncoding)
    lastHeader = acceptEncoding
  }
  return lastAnswer
}

/** RFC 9110 §12.5.3. A coding with the weight 0 is refused. */
function allowsGzip(acceptEncoding: string): boolean {
  const weights = new Map(
    acceptEncoding.split(',').map((part): [string, boolean] => {
      const [coding = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      return [coding, !parameters.some((word) => /^q\s*=\s*0(\.0{0,3})?$/.test(word))]
    }),
  )
  for (const name of gzipNames) {
    const isAllowed = weights.get(name)
    if (isAllowed !== undefined) return isAllowed
  }
  return false
}

/** Caches keep answers for different codings apart. Hooks may have named other headers that the answer depends on. */
export function varyByEncoding(reply: FastifyReply): FastifyReply {
  const named = reply.getHeader('vary')
  return reply.header('vary', named ? `${named}, Accept-Encoding` : 'Accept-Encoding')
}

/** The compressed bytes share the tag of the plain ones, so it is a weak one (RFC 9110 §8.8.1). */
export const weakTag = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** Compresses an answer and hands it on: at once if it is short, from a thread if it is long. Undefined if that failed. */
export function compress(body: string | Buffer, done: (compressed: Buffer | undefined) => void): void {
  if (body.length <= longestAtOnce) done(gzipSync(body, { level }))
  else gzip(body, { level }, (error, compressed) => done(error ? undefined : compressed))
}
