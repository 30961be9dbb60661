import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { paceOf, turnToSend } from './body-bounds.js'
import { hasBody, isLarge } from './body-pieces.js'
import { readGently } from './pace.js'

const lingerMs = 1000
const mostDropped = 4_000_000

/**
 * Answers before the end of a body. Such an answer is the last on its connection. Closing at once would reset the connection,
 * and the client would lose the answer, so the server reads on for a moment and drops what arrives: of a few connections at
 * a time, because many at once would keep it busy.
 */
export function addLinger(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (!hasBody(raw) || raw.complete || raw.destroyed) return done(null, payload)
    const isLast = reply.getHeader('connection') === 'close' || isLarge(raw)
    if (!isLast || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) {
      cutOff(raw, reply)
      return done(null, payload)
    }
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(answerThenWait(request, payload), { objectMode: false }))
  })
}

async function* answerThenWait(request: FastifyRequest, answer: string | Buffer) {
  yield Buffer.from(answer)
  const over = new AbortController()
  const wait = { signal: over.signal }
  const closed = once(request.raw, 'close', wait)
  const turn = turnToSend(request)
  turn.then(() => dropBody(request)).catch(() => {})
  await Promise.race([closed, delay(lingerMs, undefined, wait)]).catch(() => {})
  over.abort()
  turn.then(({ leave }) => leave()).catch(() => {})
}

function dropBody(request: FastifyRequest): void {
  let dropped = 0
  request.raw.on('error', () => {})
  const stopReading = readGently(request.raw, paceOf(request), ({ length }) => {
    dropped += length
    if (dropped > mostDropped) stopReading()
  })
}

/** Node drops the rest of the body after the answer. If it has not arrived after a moment, the connection is closed. */
function cutOff(request: IncomingMessage, { raw }: FastifyReply): void {
  raw.once('finish', () => {
    const timer = setTimeout(() => request.complete || request.socket.destroy(), lingerMs).unref()
    request.once('close', () => clearTimeout(timer))
  })
}
