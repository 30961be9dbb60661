import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

export interface Seen {
  readonly method: string
  /** Path and query string, decoded for reading. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

const read = (body: string, type = '') => {
  if (body === '') return undefined
  return /urlencoded/.test(type) ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)
}

type Respond = (reply: ServerResponse, seen: Seen, count: number) => void

/** A real HTTP server that notes every request and lives as long as the test. */
export async function startServer(t: TestContext, respond: Respond): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    const entry = {
      method: request.method ?? '',
      url: decodeURIComponent(request.url ?? ''),
      headers: request.headers,
      body: read(body, request.headers['content-type']),
    }
    seen.push(entry)
    respond(reply, entry, seen.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

export function json(
  reply: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  reply.end(JSON.stringify(body))
}
