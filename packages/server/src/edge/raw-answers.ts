import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorStatus, statuses } from '@zoetrope/contract'

/** A client that keeps sending after its last answer is cut off after this time. */
const lingerMs = 1000

/** Answers requests that Node would refuse without a message. */
export function answerOddities(server: Server): void {
  server.on('connect', (_request, socket) => closeWith(socket, 405, 'CONNECT is not possible here.'))
  server.on('checkExpectation', (_request, { socket }) => {
    if (socket) closeWith(socket, 422, 'What the header Expect asks for is not possible here.')
  })
}

const explanations: Readonly<Record<string, readonly [ErrorStatus, string]>> = {
  HPE_HEADER_OVERFLOW: [413, 'The address or the headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The headers arrived too slowly. Send the request again.'],
}

/** Answers a client whose bytes are not HTTP, or whose headers arrive too slowly. */
export function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, message] = explanations[error.code ?? ''] ?? [422, 'The request cannot be read.']
  closeWith(socket, status, message)
}

/**
 * Sends the last answer of a connection and closes it. Closing at once would reset the connection, and the client would lose
 * the answer, so what still arrives is read and dropped for a moment.
 */
function closeWith(socket: Duplex, status: ErrorStatus, message: string): void {
  if (!socket.writable) return
  // Node no longer listens on sockets that it hands over; an error without a listener would end the process.
  socket.on('error', () => {})
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.resume().end(rawError(status, message))
}

function rawError(status: ErrorStatus, message: string): string {
  const body = JSON.stringify({ message, code: statuses[status].code, request_id: '' })
  const head = `HTTP/1.1 ${status} ${statuses[status].code}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close`
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
