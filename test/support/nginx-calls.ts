import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import type { Nginx } from './nginx.js'

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly json: any
}

/**
 * Sends requests through the proxy, each over its own connection and from an address that the server does not trust.
 */
export function callsThrough(nginx: () => Nginx) {
  /** Opens a request whose body is still to be written. */
  const open = (method: string, path: string, options: RequestOptions = {}): ClientRequest => {
    const { url, ca } = nginx()
    return request(url + path, { method, ca, localAddress: '127.0.0.2', agent: false, ...options })
  }
  const ask = (method: string, path: string, options: RequestOptions = {}, body?: string | Buffer) =>
    answerTo(open(method, path, options).end(body))
  return { open, answerTo, ask }
}

async function answerTo(sending: ClientRequest): Promise<Answer> {
  const [reply] = (await once(sending, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const isJson = reply.headers['content-type']?.startsWith('application/json') && body.length > 0
  return {
    status: reply.statusCode ?? 0,
    headers: reply.headers,
    body,
    json: isJson ? JSON.parse(body.toString()) : undefined,
  }
}

/** Collects the requests that reach the server while `during` runs, as the server sees them. */
export async function arriving<T>(during: (requests: readonly IncomingMessage[]) => Promise<T>): Promise<T> {
  const requests: IncomingMessage[] = []
  const listener = (message: unknown) =>
    requests.push((message as { readonly request: IncomingMessage }).request)
  subscribe('http.server.request.start', listener)
  try {
    return await during(requests)
  } finally {
    unsubscribe('http.server.request.start', listener)
  }
}
