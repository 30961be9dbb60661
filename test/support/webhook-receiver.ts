import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './patience.js'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  readonly body: string
  /** The id of the event. */
  readonly id: string
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** How it answers from now on; 204 at first. */
  answer: (response: ServerResponse) => void
  /** Waits for a request that meets the condition. */
  next(what: string, isWanted?: (one: Received) => boolean): Promise<Received>
  stop(): Promise<void>
}

/** An HTTP server that keeps what webhooks send to it. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const at = Date.now()
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    const { headers } = request
    received.push({
      at,
      headers,
      path: request.url ?? '',
      body,
      id: String(headers['webhook-id']),
      event: JSON.parse(body),
    })
    receiver.answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (response) => void response.writeHead(204).end(),
    next: (what, isWanted = () => true) => until(what, () => received.find(isWanted)),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
