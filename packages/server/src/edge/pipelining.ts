import type { FastifyInstance } from 'fastify'
import { hasBody } from './body-pieces.js'

/** No client that waits for answers at all sends this many requests ahead. */
const mostAhead = 100
/** Bodies of waiting requests are in memory uncounted. Hardly any client sends bodies ahead. */
const mostBodiesAhead = 4

/** What a connection has sent ahead. */
interface SentAhead {
  requests: number
  bodies: number
}

/**
 * Handles the requests of a connection one after the other, with those of other connections in between. Node would begin
 * all of them at once: a few kilobytes can contain a thousand.
 */
export function handleInTurn(app: FastifyInstance): void {
  const waiting = new WeakMap<object, SentAhead>()
  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    const { socket } = request
    // Node gives a response its socket when the answers before it have been sent.
    if (response.socket) return done()
    const ahead = waiting.get(socket) ?? { requests: 0, bodies: 0 }
    waiting.set(socket, ahead)
    const bodies = hasBody(request) ? 1 : 0
    ahead.requests += 1
    ahead.bodies += bodies
    if (ahead.requests > mostAhead || ahead.bodies > mostBodiesAhead) return void socket.destroy()
    response.once('socket', () => {
      ahead.requests -= 1
      ahead.bodies -= bodies
      setImmediate(done)
    })
  })
}
