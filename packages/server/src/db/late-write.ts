import { violation } from './violation.js'

/**
 * The driver may write to a connection that was lost a moment before, in a callback where nobody can catch what it throws
 * (https://github.com/porsager/postgres/issues/1208). Whoever waited for the connection has been told by then, so such a
 * write is nothing to end a process for.
 */
export const isLateWrite = (error: unknown): boolean =>
  error instanceof TypeError &&
  /reading 'write'/.test(error.message) &&
  /at Immediate\.nextWrite .*[\\/]postgres[\\/]/.test(error.stack ?? '')

/**
 * A statement whose outcome nobody waits for was lost with its connection: the driver's own, or one beside others that
 * failed first. The driver puts the statement on the error; its own, which asks for types, has no line of the driver in its
 * stack.
 */
export const isLostStatement = (error: unknown): boolean =>
  ['interrupted', 'unavailable'].includes(violation(error) ?? '') &&
  (/[\\/]postgres[\\/]src[\\/]/.test((error as Error).stack ?? '') ||
    ('query' in (error as Error) && 'parameters' in (error as Error)))

/**
 * Such a write leaves its bytes behind, and the driver keeps small messages back until it has written them. A greeting of more
 * than a kilobyte is sent at once, and the next connection is whole again; PostgreSQL passes over the blanks.
 */
export const longGreeting = ' '.repeat(1024)
