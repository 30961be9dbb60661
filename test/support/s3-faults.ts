import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as soon } from 'node:timers/promises'

/** What can go wrong with any request, and with an answer that has a body. */
const anyFault = ['error', 'busy', 'reset', 'lost'] as const
const bodyFault = ['cut', 'slow', 'short', 'long'] as const
export type Fault = (typeof anyFault)[number] | (typeof bodyFault)[number]

interface FaultOptions {
  /** The share of requests that fail, from 0 to 1. */
  readonly rate: number
  readonly random: () => number
}

export interface FaultProxy {
  readonly port: number
  /** How often each fault happened. */
  readonly counts: Record<Fault, number>
  /** While shut, connections are closed as soon as something is requested. */
  shut(value: boolean): void
  /** While refused, nobody listens at the port. */
  refuse(value: boolean): Promise<void>
  /** While frozen, requests get no answer. Their connections are closed afterwards. */
  freeze(value: boolean): void
  /** Answers 500 to writes of more than so many bytes. */
  refuseAbove(bytes: number): void
  stop(): Promise<void>
}

/** At most so many requests to the same path fail in a row. */
const mostInARow = 2

/** A proxy in front of a store, which fails and garbles some of the requests. */
export async function startFaultProxy(target: number, options: FaultOptions): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true })
  const inARow = new Map<string, number>()
  const counts: Record<Fault, number> = {
    ...{ error: 0, busy: 0, reset: 0, lost: 0 },
    ...{ cut: 0, slow: 0, short: 0, long: 0 },
  }
  let isShut = false
  let isFrozen = false
  let mostBytes = Number.POSITIVE_INFINITY
  const frozen = new Set<Socket>()

  function choose({ method, url }: IncomingMessage): Fault | undefined {
    const path = `${method} ${url}`
    const row = inARow.get(path) ?? 0
    if (row >= mostInARow || options.random() >= options.rate) {
      inARow.delete(path)
      return undefined
    }
    inARow.set(path, row + 1)
    const kinds = method === 'GET' ? [...anyFault, ...bodyFault] : anyFault
    return kinds[Math.floor(options.random() * kinds.length)]
  }

  const server = createServer((incoming, outgoing) => {
    if (isShut) return void incoming.socket.destroy()
    if (isFrozen) return void frozen.add(incoming.socket)
    const isLarge = Number(incoming.headers['content-length'] ?? 0) > mostBytes
    const fault = isLarge ? 'error' : choose(incoming)
    if (fault) counts[fault] += 1
    handle(agent, target, fault, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    counts,
    shut(value) {
      isShut = value
    },
    async refuse(value) {
      if (value) {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      } else {
        server.listen(port, '127.0.0.1')
        await once(server, 'listening')
      }
    },
    freeze(value) {
      isFrozen = value
      if (value) return
      for (const socket of frozen) socket.destroy()
      frozen.clear()
    },
    refuseAbove(bytes) {
      mostBytes = bytes
    },
    async stop() {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

const failures = { error: [500, 'InternalError'], busy: [503, 'SlowDown'] } as const

async function handle(
  agent: Agent,
  target: number,
  fault: Fault | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (fault === 'reset') return void incoming.socket.resetAndDestroy()
  const body = await buffer(incoming)
  if (fault === 'error' || fault === 'busy') {
    const [status, code] = failures[fault]
    outgoing.writeHead(status, { 'content-type': 'application/xml' })
    return void outgoing.end(
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>A fault.</Message></Error>`,
    )
  }
  const { method, url, headers } = incoming
  const inner = request({ host: '127.0.0.1', port: target, agent, method, path: url, headers })
  inner.end(body)
  const [answer] = (await once(inner, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  if (fault === 'lost') return void incoming.socket.resetAndDestroy()
  await answerWith(outgoing, answer, bytes, fault)
}

async function answerWith(
  outgoing: ServerResponse,
  { statusCode = 500, headers }: IncomingMessage,
  bytes: Buffer,
  fault: Exclude<Fault, 'error' | 'busy' | 'reset' | 'lost'> | undefined,
): Promise<void> {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  const lengths = { cut: bytes.length, slow: bytes.length, short: half.length, long: bytes.length + 7 }
  outgoing.writeHead(statusCode, fault ? { ...headers, 'content-length': lengths[fault] } : headers)
  if (fault === undefined || fault === 'short') return void outgoing.end(fault ? half : bytes)
  if (fault === 'slow') {
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 8)) {
      outgoing.write(bytes.subarray(at, at + Math.ceil(bytes.length / 8)))
      await soon()
    }
    return void outgoing.end()
  }
  // The connection ends in the middle of the body.
  outgoing.write(fault === 'cut' ? half : bytes, () => outgoing.destroy())
}
