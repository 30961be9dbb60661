import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, type DatabaseOptions, type Db, openDatabase } from './database.js'

const oldest = 15

const tooOld = (version: string) =>
  `DATABASE_URL leads to PostgreSQL ${version}, and Zoetrope needs ${oldest} or newer. Upgrade that server, or leave DATABASE_URL out: Zoetrope brings a PostgreSQL of its own.`

const sharedSessions =
  'DATABASE_URL leads to a connection pooler that shares sessions, such as PgBouncer with pool_mode = transaction or statement. Zoetrope needs sessions of its own: it listens for notifications, and keeps prepared statements. Connect to PostgreSQL directly, or set pool_mode = session in PgBouncer.'

const otherEncoding = (encoding: string) =>
  `The database of DATABASE_URL has the encoding ${encoding}, in which most languages could not be searched and sorted. Make one with UTF8: createdb --encoding UTF8 --template template0 zoetrope`

const ofAnother = (tables: readonly string[]) =>
  `The database of DATABASE_URL has tables of another program (such as ${tables.join(', ')}), so nothing was made in it. Give Zoetrope a database of its own: createdb --encoding UTF8 --template template0 zoetrope`

const patienceMs = 20_000
const hearingMs = 10_000

const tooFewSessions = `DATABASE_URL gave no session within ${patienceMs / 1000} seconds. If it leads to a connection pooler, raise the number of its sessions (default_pool_size in PgBouncer), or connect to PostgreSQL directly.`

/** Throws a sentence for the operator if we cannot work with the server. */
export async function checkServer(
  database: Database,
  connection: DatabaseOptions['connection'],
): Promise<void> {
  const { number, version, encoding, isPooled } = await inTime(factsOf(database.db))
  if (number < oldest * 10_000) throw new Error(tooOld(version))
  if (encoding !== 'UTF8') throw new Error(otherEncoding(encoding))
  if (isPooled) await checkPooler(connection)
}

/** Whether the database is empty. Throws if it belongs to another program. */
export async function isEmpty(db: Db): Promise<boolean> {
  const [row] = await db<{ isOurs: boolean }[]>`select to_regclass('applied_files') is not null as "isOurs"`
  if (row?.isOurs) return false
  // Extensions bring tables too.
  const others = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace::regnamespace::text = current_schema() and relkind in ('r', 'p') and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )
    order by relname limit 3
  `
  if (others.length > 0) throw new Error(ofAnother(others.map(({ name }) => name)))
  return true
}

/** The outcome of the work, unless it waits for a session that it does not get. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const waiting = new AbortController()
  const late = delay(patienceMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(tooFewSessions)
  })
  return Promise.race([work, late]).finally(() => waiting.abort())
}

interface ServerFacts {
  readonly number: number
  readonly version: string
  readonly encoding: string
  /** Whether somebody stands between us and PostgreSQL. */
  readonly isPooled: boolean
}

async function factsOf(db: Db): Promise<ServerFacts> {
  const rows = await db<{ number: number; version: string; encoding: string; pid: number }[]>`
    select current_setting('server_version_num')::integer as number,
      split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_encoding') as encoding, pg_backend_pid() as pid
  `
  const [
    { number, version, encoding, pid } = { number: 0, version: 'unknown', encoding: 'unknown', pid: 0 },
  ] = rows
  // PostgreSQL greets a client with the pid of its session. A pooler has no session yet then, and makes up a number.
  return { number, version, encoding, isPooled: rows.session !== pid }
}

/** Throws unless each connection has a session of its own for as long as it lasts. */
async function checkPooler(connection: DatabaseOptions['connection']): Promise<void> {
  const first = openDatabase({ connection, connections: 1 })
  const second = openDatabase({ connection, connections: 1 })
  try {
    if (!(await inTime(areApart(first.db, second.db))) || !(await hears(first, second)))
      throw new Error(sharedSessions)
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

/** In turn: an idle pooler gives both the same session, and a busy one gives each several. */
async function areApart(first: Db, second: Db): Promise<boolean> {
  const pids = [await pidOf(first), await pidOf(second), await pidOf(first), await pidOf(second)]
  return pids[0] === pids[2] && pids[1] === pids[3] && pids[0] !== pids[1]
}

async function pidOf(db: Db): Promise<number | undefined> {
  const [row] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid
}

/** What decides: a client without a session while it is idle hears no notification, however busy the pooler is. */
async function hears(listener: Database, speaker: Database): Promise<boolean> {
  const channel = `zoetrope_${randomBytes(8).toString('hex')}`
  const waiting = new AbortController()
  await inTime(listener.listen(channel, (message) => message !== '' && waiting.abort()))
  await inTime(speaker.db`select pg_notify(${channel}, 'heard')`)
  return delay(hearingMs, false, { signal: waiting.signal }).catch(() => true)
}
