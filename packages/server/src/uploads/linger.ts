import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

const lingerMs = 1000

/**
 * An answer before the end of the body is the last on its connection. Closing at once would make the caller's machine
 * throw the answer away unread, so what still comes is dropped for a moment.
 */
export async function linger(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.raw.complete || request.raw.destroyed || typeof payload !== 'string') return payload
  reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload))
  return Readable.from(answerThenWait(request.raw, payload), { objectMode: false })
}

async function* answerThenWait(request: IncomingMessage, answer: string) {
  yield Buffer.from(answer)
  request.on('error', () => {}).resume()
  const ended = new AbortController()
  const wait = { signal: ended.signal }
  await Promise.race([once(request, 'close', wait), delay(lingerMs, undefined, wait)]).catch(() => {})
  ended.abort()
}
