import type { FastifyInstance } from 'fastify'

/** No client that waits for answers at all sends this many requests ahead. */
const mostAhead = 100

/**
 * Handles the requests of a connection one after the other, with those of other connections in between. Node would begin
 * all of them at once: a few kilobytes can contain a thousand.
 */
export function handleInTurn(app: FastifyInstance): void {
  const ahead = new WeakMap<object, number>()
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Node gives a response its socket when the answers before it have been sent.
    if (response.socket) return done()
    const count = (ahead.get(socket) ?? 0) + 1
    ahead.set(socket, count)
    if (count > mostAhead) return void socket.destroy()
    response.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 0) - 1)
      setImmediate(done)
    })
  })
}
