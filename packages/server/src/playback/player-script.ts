import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { hasTag } from '../edge/conditional.js'
import { ApiError } from '../errors.js'
import { addReading } from './playback.js'

interface Script {
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** The player's script, minified once. */
export function addPlayerScript(app: FastifyInstance, path: string): void {
  let read: Promise<Script> | undefined
  const script = () => {
    read ??= readScript(path).catch((error) => {
      // It may have been built by the next request.
      read = undefined
      throw error
    })
    return read
  }
  addReading(app, '/zoetrope-player.js', async (request, reply) => {
    const { etag, ...forms } = await script()
    const accepted = request.headers['accept-encoding'] ?? ''
    const form = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'plain'
    reply.headers({
      etag,
      'cache-control': 'public, max-age=3600',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '),
    })
    if (hasTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    if (form !== 'plain') reply.header('content-encoding', form)
    return reply.send(forms[form])
  })
}

const brotliQuality = 9

async function readScript(path: string): Promise<Script> {
  const plain = await readFile(path).catch((cause) => {
    throw new ApiError(503, 'The player has not been built. `npm run build -- player` builds it.', { cause })
  })
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  ])
  // Weak, because all encodings share the tag.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, gzip: zipped, br }
}
