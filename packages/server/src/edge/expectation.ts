import type { IncomingMessage, Server } from 'node:http'

/** Whether a client waits for `100 Continue` before it sends the body. */
export const expectsContinue = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^100-continue$/i.test(headers.expect ?? '')

/**
 * Sends `100 Continue` when a handler begins to read the body. Node would send it with the headers, and a request that is
 * refused would still transfer its body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    // RFC 9110 §10.1.1: after a final status the client may send the body or not, so the connection cannot be used again.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    const onListener = (event: string | symbol) => {
      if (event !== 'data' && event !== 'readable') return
      request.off('newListener', onListener)
      if (response.headersSent) return
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    }
    request.on('newListener', onListener)
    server.emit('request', request, response)
  })
}
