import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Handles one request. `count` is the number of earlier requests. */
export type FilmAnswer = (request: IncomingMessage, reply: ServerResponse, count: number) => void

export interface FilmServer {
  readonly url: string
  /** The `Range` header of every request so far. */
  readonly ranges: (string | undefined)[]
  answer(next: FilmAnswer): void
  stop(): Promise<void>
}

/** Starts a local server of films that responds as the test says. */
export async function startFilmServer(): Promise<FilmServer> {
  let answer: FilmAnswer = (_request, reply) => reply.writeHead(404).end()
  const ranges: (string | undefined)[] = []
  const server = createServer((request, reply) => {
    ranges.push(request.headers.range)
    answer(request, reply, ranges.length - 1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    answer(next) {
      ranges.length = 0
      answer = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Serving {
  readonly etag?: string
  /** Cuts the connection after this many bytes of the body. */
  readonly cutAfter?: number
  readonly pauseMs?: number
}

/** Serves the file with range requests, as a well-behaved server does. */
export function serveRanges(
  file: Buffer,
  request: IncomingMessage,
  reply: ServerResponse,
  { etag = '"one"', cutAfter, pauseMs = 0 }: Serving = {},
): void {
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const isRest = first !== undefined && request.headers['if-range'] === etag
  const from = isRest ? Number(first) : 0
  reply.setHeader('etag', etag).setHeader('content-type', 'video/mp4')
  if (from >= file.length) {
    reply.writeHead(416, { 'content-range': `bytes */${file.length}` }).end()
    return
  }
  if (isRest) reply.setHeader('content-range', `bytes ${from}-${file.length - 1}/${file.length}`)
  reply.writeHead(isRest ? 206 : 200, { 'content-length': file.length - from })
  if (cutAfter === undefined && pauseMs === 0) {
    reply.end(file.subarray(from))
    return
  }
  void trickle(
    file.subarray(from, cutAfter === undefined ? undefined : from + cutAfter),
    reply,
    pauseMs,
    cutAfter !== undefined,
  )
}

async function trickle(bytes: Buffer, reply: ServerResponse, pauseMs: number, isCut: boolean): Promise<void> {
  const step = pauseMs === 0 ? bytes.length : Math.ceil(bytes.length / 40)
  for (let at = 0; at < bytes.length && !reply.destroyed; at += step) {
    await new Promise((sent) => reply.write(bytes.subarray(at, at + step), sent))
    if (pauseMs > 0) await new Promise((over) => setTimeout(over, pauseMs))
  }
  if (isCut) reply.destroy()
  else reply.end()
}
