import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, compress, varyByEncoding, weakTag } from './compression.js'
import { hasTag } from './conditional.js'

/** An answer with an ETag, which can be sent compressed. */
export interface TaggedAnswer {
  readonly body: string | Buffer
  readonly type: string
  readonly etag: string
  /** Whether it may be compressed: it contains no secret, and is long enough. */
  readonly isCompressible: boolean
  /** Its compressed form, once a caller has accepted that. */
  gzipped?: Buffer
}

/** Sends the answer, or 304 if the caller has it. A kept answer is compressed only once. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer): FastifyReply {
  const { body, type, etag, isCompressible } = answer
  if (isCompressible) varyByEncoding(reply)
  const isGzipped = isCompressible && acceptsGzip(request.headers['accept-encoding'])
  reply.header('etag', isGzipped ? weakTag(etag) : etag)
  if (hasTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  reply.header('content-type', type)
  if (!isGzipped) return reply.send(body)
  if (answer.gzipped) return reply.header('content-encoding', 'gzip').send(answer.gzipped)
  compress(body, (compressed) => {
    if (!compressed) return reply.send(body)
    answer.gzipped = compressed
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
  return reply
}
