import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, ObjectFacts, OpenedObject } from '../storage/storage.js'

/** Sends an object of the storage that never changes: whole, a range of it, its facts, or that the caller has it. */
export function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  object: OpenedObject,
  type: string,
): FastifyReply {
  const etag = tagOf(object)
  reply.headers({
    etag,
    'content-type': type,
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (namesTag(request.headers['if-none-match'], etag)) return withoutBody(reply.status(304), object)
  const range = rangeOf(request, etag, object.size)
  if (range === 'unsatisfiable') return refuseRange(request, reply, object)
  const { start, end } = range ?? { start: 0, end: object.size }
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${object.size}`)
  reply.header('content-length', end - start)
  if (request.method === 'HEAD') return withoutBody(reply, object)
  return reply.send(range ? cut(object.body, range) : object.body)
}

const tagOf = ({ size, modifiedAt }: ObjectFacts) =>
  `"${size.toString(36)}-${modifiedAt.getTime().toString(36)}"`

/** RFC 9110 §13.1.2: a list of tags, weak ones compared like strong ones, or a star. */
const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false

function withoutBody(reply: FastifyReply, { body }: OpenedObject): FastifyReply {
  body.destroy()
  return reply.send()
}

function refuseRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, size }: OpenedObject,
): FastifyReply {
  body.destroy()
  reply.removeHeader('etag')
  const message = `There are ${size} bytes; the range asked for lies behind them.`
  return reply
    .status(416)
    .headers({ 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send({ message, code: 'range_not_satisfiable', request_id: request.id })
}

/** The one range asked for. Several at once, and what cannot be read, are answered with the whole, as RFC 9110 allows. */
function rangeOf(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range?.trim() ?? '') ?? []
  const ifRange = headers['if-range']
  if (method !== 'GET' || first + last === '' || (ifRange !== undefined && ifRange !== etag)) return undefined
  if (first === '') {
    const start = Math.max(0, size - Number(last))
    return start < size ? { start, end: size } : 'unsatisfiable'
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  return Number(first) < size ? { start: Number(first), end } : 'unsatisfiable'
}

/** A part of a body; the body is closed with it. */
function cut(body: Readable, { start, end }: ByteRange): Readable {
  const part = Readable.from(partOf(body, start, end), { objectMode: false })
  return part.once('close', () => body.destroy())
}

async function* partOf(body: Readable, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    if (wanted.length > 0) yield wanted
    at += chunk.length
    if (at >= end) return
  }
}
