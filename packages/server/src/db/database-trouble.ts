import { violation } from './violation.js'

/** What an operator can do about a refusal, by how its SQLSTATE begins. The first that fits counts. */
const remedies: readonly (readonly [begins: string, remedy: string])[] = [
  ['25006', 'Let DATABASE_URL name the primary server: this one can only be read.'],
  ['28', 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'],
  ['3D000', 'Create the database, or name another in DATABASE_URL.'],
  ['42501', 'Give the user of DATABASE_URL this right.'],
  ['53100', 'Free space on the disk of the database.'],
  ['53300', 'Raise max_connections of PostgreSQL, or lower DATABASE_CONNECTIONS.'],
  [
    '',
    'Nothing was changed. Look at the log of PostgreSQL; go back to the version that ran before if there was one.',
  ],
]

const poolerRemedy =
  'So says PgBouncer. Connect to PostgreSQL directly, or set pool_mode = session and ignore_startup_parameters = statement_timeout, plan_cache_mode, options in PgBouncer.'

const hasSqlState = (error: object): boolean =>
  'severity' in error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code))

/** A sentence about a database that cannot be reached, or that refused to do something; undefined for other errors. */
export function databaseTrouble(error: unknown, doing: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, hint, message } = error as Error & { code?: string; hint?: string }
  const refused = `PostgreSQL refused to ${doing}: ${message} (SQLSTATE ${code}).`
  if (/unsupported startup parameter/.test(message)) return `${refused} ${poolerRemedy}`
  if (isAway(error, code))
    return `DATABASE_URL cannot be reached (${message || code}). Is the server running there?`
  if (!hasSqlState(error)) return undefined
  const remedy = remedies.find(([begins]) => code?.startsWith(begins))?.[1]
  return [refused, hint, remedy].filter(Boolean).join(' ')
}

/** Of what is unavailable, PostgreSQL itself says why if it is there. */
function isAway(error: Error, code: string | undefined): boolean {
  const kind = violation(error)
  if (kind === 'unavailable') return !hasSqlState(error) || code === '57P03'
  return kind === 'interrupted'
}
