/** What a failed statement says about its cause, if it says anything a caller could act on. */
export type Violation = 'unique' | 'foreign_key' | 'check' | 'bad_value' | 'unavailable' | 'disk_full'

const codes: Readonly<Record<string, Violation>> = {
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  // Values that PostgreSQL cannot read or hold.
  '22001': 'bad_value',
  '22003': 'bad_value',
  '22007': 'bad_value',
  '22008': 'bad_value',
  '22021': 'bad_value',
  '22P02': 'bad_value',
  '22P05': 'bad_value',
  '54000': 'bad_value',
  '53100': 'disk_full',
  // Shutting down, starting up, out of connections, gone.
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '53300': 'unavailable',
  '25006': 'unavailable',
  CONNECTION_CLOSED: 'unavailable',
  CONNECTION_ENDED: 'unavailable',
  CONNECTION_DESTROYED: 'unavailable',
  CONNECT_TIMEOUT: 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  ENOENT: 'unavailable',
  EPIPE: 'unavailable',
}

export function violation(error: unknown): Violation | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(codes, code) ? codes[code] : undefined
}
