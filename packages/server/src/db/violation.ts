import { DatabaseError } from 'pg'
import { ConnectionError } from './connection-error.js'

/** What a failed statement says about its cause, if it says anything a caller could act on. */
export type Violation =
  | 'unique'
  | 'foreign_key'
  | 'check'
  | 'bad_value'
  | 'unavailable'
  | 'interrupted'
  | 'disk_full'
  | 'too_slow'

/** Awaits a write. If it fails for this reason, throws the error that explains it to the caller. */
export const explaining = <T>(write: Promise<T>, kind: Violation, explain: (error: unknown) => Error) =>
  write.catch((error: unknown): never => {
    throw violation(error) === kind ? explain(error) : error
  })

const codes: Readonly<Record<string, Violation>> = {
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  // Values that PostgreSQL cannot read or hold.
  '22001': 'bad_value',
  '22003': 'bad_value',
  '22007': 'bad_value',
  '22008': 'bad_value',
  '22009': 'bad_value',
  '22021': 'bad_value',
  '22P02': 'bad_value',
  '22P05': 'bad_value',
  '54000': 'bad_value',
  '53100': 'disk_full',
  '57014': 'too_slow',
  // Nothing was sent: starting up, out of connections, read-only, not there.
  '57P03': 'unavailable',
  '53300': 'unavailable',
  '25006': 'unavailable',
  CONNECT_TIMEOUT: 'unavailable',
  UNREACHABLE: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ENOENT: 'unavailable',
  // Two waited for each other; this one was undone and may simply be repeated.
  '40P01': 'unavailable',
  // It went away with a statement under way, which may or may not have been carried out.
  '57P01': 'interrupted',
  '57P02': 'interrupted',
  // A pooler says so when it has lost PostgreSQL, or has no session for us.
  '08P01': 'interrupted',
  CONNECTION_CLOSED: 'interrupted',
  CONNECTION_ENDED: 'interrupted',
  CONNECTION_DESTROYED: 'interrupted',
  ECONNRESET: 'interrupted',
  EPIPE: 'interrupted',
}

/** Whether the database is away, or was lost with a statement under way. Other programs that are away do not count. */
export const isDatabaseAway = (error: unknown): boolean =>
  (error instanceof ConnectionError || error instanceof DatabaseError) &&
  ['interrupted', 'unavailable'].includes(violation(error) ?? '')

/** Whether two waited for each other, and this one was undone. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'

/** Whether a statement waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'

/** Whether a statement had to be planned anew, and could not be inside its transaction. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '26000' || ('routine' in error && error.routine === 'RevalidateCachedQuery'))

/** The name of the unique index or the constraint that refused a statement. */
export const violatedIndex = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.constraint : undefined

/** The name of the table whose constraint refused a statement. */
export const violatedTable = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.table : undefined

export function violation(error: unknown): Violation | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code] : undefined
}
