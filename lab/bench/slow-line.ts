import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A network connection with a latency and a bandwidth. */
export interface Line {
  readonly bitsPerSecond: number
  readonly roundTripMs: number
}

/**
 * Simulates a network between a browser and a server on the same machine. The browser's own throttling loses requests
 * when the machine is busy: the page then stays empty although the server has long responded.
 */
export async function openSlowLine(server: string, { bitsPerSecond, roundTripMs }: Line) {
  const { hostname, port } = new URL(server)
  const oneWayMs = roundTripMs / 2
  const bytesPerMs = bitsPerSecond / 8000
  const open = new Set<Socket>()
  // All connections share one line towards the browser.
  let freeAt = 0
  const arrival = (bytes: number): number => {
    freeAt = Math.max(freeAt, performance.now()) + bytes / bytesPerMs
    return freeAt + oneWayMs
  }
  const line = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      open.add(socket.setNoDelay(true))
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    // A new connection costs one round trip before the first request.
    const connectedAt = performance.now() + roundTripMs
    carry(near, far, () => Math.max(connectedAt, performance.now()) + oneWayMs)
    carry(far, near, arrival)
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => line.close(resolve))
    },
  }
}

/** The amount that goes over the line at once. The rest waits its turn. */
const packetBytes = 4096

/** Forwards data from one side to the other in order, when it is due. */
function carry(from: Socket, to: Socket, dueAt: (bytes: number) => number): void {
  let sent = Promise.resolve()
  const after = (due: number, act: () => void) => {
    sent = sent.then(async () => {
      await delay(Math.max(0, due - performance.now()))
      act()
    })
  }
  from.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += packetBytes) {
      const packet = chunk.subarray(start, start + packetBytes)
      after(dueAt(packet.length), () => to.writable && to.write(packet))
    }
  })
  from.on('close', () => after(0, () => to.destroy()))
}
