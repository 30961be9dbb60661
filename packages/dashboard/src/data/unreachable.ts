import { ZoetropeError } from '@zoetrope/sdk'

/** No response, or the response of a proxy whose server is down. */
const awayStatuses: readonly number[] = [0, 502, 503, 504]

/** Whether this status, or no response, means that the server is temporarily unavailable. */
export const isAway = (status = 0): boolean => awayStatuses.includes(status)

/** Whether a request failed because the server was unavailable, not because of the request itself. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ZoetropeError && isAway(error.status)
