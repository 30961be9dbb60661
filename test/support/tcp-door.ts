import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Connection } from './postgres.js'

/** Makes the test PostgreSQL, which listens only on a socket, reachable by an address like any other server. */
export async function openDoor(first: Connection): Promise<{
  readonly url: string
  /** Where new connections lead from now on. */
  leadTo(connection: Connection): void
  /** While shut, connections are closed as soon as they are made. */
  shut(value: boolean): void
  /** Ends all connections as a network does that loses them. */
  reset(): void
  close(): Promise<void>
}> {
  const open = new Set<Socket>()
  const outers = new Set<Socket>()
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  const { database, username } = first
  let target = first
  let isShut = false
  const door = createServer((outer) => {
    if (isShut) return void outer.destroy()
    outers.add(outer)
    const inner = connect(`${target.host}/.s.PGSQL.${target.port}`)
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port: number } = door.address() as { port: number }
  return {
    url: `postgres://${username}@127.0.0.1:${number}/${database}`,
    leadTo(connection) {
      target = connection
    },
    shut(value) {
      isShut = value
      if (isShut) closeAll()
    },
    reset() {
      for (const socket of outers) if (!socket.destroyed) socket.resetAndDestroy()
    },
    async close() {
      closeAll()
      door.close()
      await once(door, 'close')
    },
  }
}
