import { DatabaseError } from 'pg'

/** The connection to PostgreSQL could not be opened or was lost. The code says how: see `violation`. */
export class ConnectionError extends Error {
  readonly code: string
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export const lostTransaction = () =>
  new ConnectionError('CONNECTION_CLOSED', 'The connection was lost, and the transaction with it.')

export const endedPool = () => new ConnectionError('CONNECTION_ENDED', 'The connections were closed.')

/** The network says that there is no way to the server. Other programs fail with these codes as well. */
const unreachable = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]

/** The failure of an attempt to connect. What PostgreSQL itself says stays as it is. */
export function failedConnect(error: Error): Error {
  if (error instanceof DatabaseError) return error
  if ('code' in error && typeof error.code === 'string')
    return new ConnectionError(
      unreachable.includes(error.code) ? 'UNREACHABLE' : error.code,
      error.message,
      error,
    )
  const code = error.message === 'timeout expired' ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED'
  return new ConnectionError(code, `The connection to PostgreSQL failed: ${error.message}.`, error)
}

/** Whether PostgreSQL ends the session with this error. */
const isFatal = (error: Error): boolean =>
  error instanceof DatabaseError && (error.severity === 'FATAL' || error.severity === 'PANIC')

/** The failure of a statement with its connection, or undefined if PostgreSQL only refused the statement. */
export function lossIn(error: Error): ConnectionError | undefined {
  if (error instanceof ConnectionError) return error
  if (error instanceof DatabaseError && !isFatal(error)) return undefined
  return new ConnectionError(
    'CONNECTION_CLOSED',
    `The connection to PostgreSQL was lost: ${error.message}.`,
    error,
  )
}
