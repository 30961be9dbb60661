import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag } from '../edge/conditional.js'
import type { ByteRange, ObjectFacts, OpenedObject } from '../storage/storage.js'

type Headers = Readonly<Record<string, string>>

/** For pictures, which never change and whose address does not expire. */
export const immutable = { 'cache-control': 'public, max-age=31536000, immutable' } as const

/**
 * For immutable content at an address that expires: caches keep it no longer than the address works, and
 * shared caches keep only public content.
 */
export const immutableUntil = (expires: number, isForEverybody: boolean) => {
  const seconds = Math.max(0, Math.floor((expires - Date.now()) / 1000))
  return { 'cache-control': `${isForEverybody ? 'public' : 'private'}, max-age=${seconds}, immutable` }
}

/** Sends a stored object: all of it, a range, headers only, or 304. */
export function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  object: OpenedObject,
  type: string,
  headers: Headers,
): FastifyReply {
  const wanted = head(request, reply, object, type, headers)
  if (wanted === 'nothing') return withoutBody(reply, object)
  if (wanted === 'unsatisfiable') return refuseRange(request, reply, object)
  return reply.send(wanted ? cut(object.body, wanted) : object.body)
}

/**
 * The same for large files: reads only the requested bytes. Returns false if the object does not exist.
 * (Fastify replies are thenable, hence the boolean.)
 */
export async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  read: { stat(): Promise<ObjectFacts | undefined>; read: ReadRange },
  type: string,
  headers: Headers,
): Promise<boolean> {
  const facts = await read.stat()
  if (!facts) return false
  const wanted = head(request, reply, facts, type, headers)
  if (wanted === 'nothing') reply.send()
  else if (wanted === 'unsatisfiable') refuseRange(request, reply, facts)
  else {
    const object = await read.read(wanted)
    if (!object) return false
    reply.send(object.body)
  }
  return true
}

type ReadRange = (range: ByteRange | undefined) => Promise<OpenedObject | undefined>

/** Sets status and headers; returns the range that remains to be sent. */
function head(
  request: FastifyRequest,
  reply: FastifyReply,
  facts: ObjectFacts,
  type: string,
  headers: Headers,
): ByteRange | 'unsatisfiable' | 'nothing' | undefined {
  const etag = objectTag(facts)
  reply.headers({
    etag,
    'content-type': type,
    'accept-ranges': 'bytes',
    'cross-origin-resource-policy': 'cross-origin',
    ...headers,
  })
  if (hasTag(request.headers['if-none-match'], etag)) {
    reply.status(304)
    return 'nothing'
  }
  const range = rangeOf(request, etag, facts.size)
  if (range === 'unsatisfiable') return range
  const { start, end } = range ?? { start: 0, end: facts.size }
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${facts.size}`)
  reply.header('content-length', end - start)
  return request.method === 'HEAD' ? 'nothing' : range
}

const objectTag = ({ size, modifiedAt }: ObjectFacts) =>
  `"${size.toString(36)}-${modifiedAt.getTime().toString(36)}"`

function withoutBody(reply: FastifyReply, { body }: OpenedObject): FastifyReply {
  body.destroy()
  return reply.send()
}

function refuseRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, size }: Pick<Partial<OpenedObject>, 'body'> & ObjectFacts,
): FastifyReply {
  body?.destroy()
  reply.removeHeader('etag')
  const message = `The requested range is beyond the end of the ${size} bytes.`
  return reply
    .status(416)
    .headers({ 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send({ message, code: 'range_not_satisfiable', request_id: request.id })
}

/** The requested range. Multiple or malformed ranges get the whole object, as RFC 9110 allows. */
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

/** Part of a body; closing it closes the body. */
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
