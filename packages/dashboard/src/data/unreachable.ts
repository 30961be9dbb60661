import { ZoetropeError } from '@zoetrope/sdk'

/** No answer at all, or what a proxy says while the server behind it is away. */
const awayStatuses: readonly number[] = [0, 502, 503, 504]

/** Whether an answer of this status, or none, says that the server is away for the moment. */
export const isAway = (status = 0): boolean => awayStatuses.includes(status)

/** Whether a request failed because the server was away, and not because of what was asked. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ZoetropeError && isAway(error.status)
