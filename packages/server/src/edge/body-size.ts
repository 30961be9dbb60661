import type { IncomingMessage } from 'node:http'

/** The length of the body as the headers give it; not a number if they do not. */
export const declaredBytes = ({ headers }: Pick<IncomingMessage, 'headers'>): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN

/** Whether a request announces a body, of which all, a part or nothing may have arrived. */
export const hasBody = (request: IncomingMessage): boolean => declaredBytes(request) !== 0

/** A small body is received before its sender is looked up. One of unknown length counts as large. */
export const isLarge = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  !(declaredBytes(request) <= smallBytes)

/** The rest of a body of this size is read so that the connection can be used again. */
export const smallBytes = 16_384
