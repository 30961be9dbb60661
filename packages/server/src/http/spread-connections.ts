import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** New connections that are served between two looks at all others. */
const atOnce = 4

/** Serves new connections a few at a time, so that hundreds at once do not hold up the requests on others. */
export function spreadConnections(server: Server): void {
  const listeners = server.listeners('connection')
  const waiting: Socket[] = []
  let served = 0

  const serve = (socket: Socket): void => {
    served += 1
    for (const listener of listeners) listener.call(server, socket)
  }
  const goOn = (): void => {
    served = 0
    while (served < atOnce) {
      const socket = waiting.shift()
      if (!socket) break
      if (!socket.destroyed) serve(socket)
    }
    if (served > 0) setImmediate(goOn)
  }
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (served === 0) setImmediate(goOn)
    if (served < atOnce) return serve(socket)
    // Without a listener, a connection that is reset while it waits would end the process.
    socket.on('error', () => {})
    waiting.push(socket)
  })
}
