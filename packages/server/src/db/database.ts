import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { longGreeting } from './late-write.js'
import { type ConnectionHooks, openListening } from './listening.js'
import { mendRepeats } from './repeated-statements.js'
import { begin, type Pool } from './transactions.js'
import { isDeadlock, isStalePlan } from './violation.js'

/** A database or a transaction in it. Functions take it as their first argument and write tagged SQL with it. */
export type Db = postgres.ISql<Record<string, never>>

export interface Database {
  readonly db: Db
  /**
   * For reads whose cost depends on the very values asked for: each is planned for its own. It has few connections, so
   * that slow searches never keep quick reads waiting.
   */
  readonly searching: Db
  /** Runs `work` in one transaction; what it throws undoes everything. It may run again, after it was undone. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Runs reads that must agree with each other. They may run again. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Calls back for every message, and once with an empty one whenever messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>
  /** Asks the database something on a connection of its own: all others may be busy while the database is well. */
  ping(): Promise<void>
  /** Connections of this pool: open now, and at most. */
  connections(): Promise<{ open: number; most: number }>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** A URL, or where the platform's own PostgreSQL listens. */
  readonly connection: string | { host: string; port: number; database: string; username: string }
  readonly connections: number
  /** PostgreSQL refuses to write anything. */
  readonly isReadOnly?: boolean
}

type ChosenOptions<Options> = Options &
  Partial<ConnectionHooks> & { prepare?: boolean; fetch_types?: boolean; max_lifetime?: null }

const searchConnections = 4
const searchTimeoutMs = 20_000
let pools = 0

/** How this process is called in PostgreSQL. In containers, several have the same pid. */
export const processName = `zoetrope ${process.pid}-${randomBytes(4).toString('hex')}`

/** The driver asks for the types of arrays with a pool's first statement and knows them after it: that one must have none. */
function begun(pool: Pool): Pool {
  // Whoever needs the database is told that it is away; nobody waits for this.
  void pool`select 1`.catch(() => undefined)
  return pool
}

/**
 * How often a transaction is tried that was undone although nothing is wrong with it: of two that wait for each other, one
 * is undone; so is one that runs a statement planned before a migration, and each try finds one such statement.
 */
const mostTries = (error: unknown) => (isDeadlock(error) ? 4 : isStalePlan(error) ? 20 : 1)

async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries >= mostTries(error)) throw error
      if (isDeadlock(error)) await setTimeout(Math.random() * 50 * tries)
    }
}

export function openDatabase({ connection, connections, isReadOnly }: DatabaseOptions): Database {
  pools += 1
  const name = `${processName}.${pools}`
  const options = {
    max: connections,
    connect_timeout: 5,
    // Seconds before the next try; the driver's own would grow to twenty, and requests wait for it.
    backoff: (tries: number) => Math.min(0.01 * 2 ** tries, 0.25),
    onnotice: () => {},
    // Planning a list takes longer than reading it, so a statement is planned once for whatever values it will have.
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      statement_timeout: 60_000,
      plan_cache_mode: 'force_generic_plan',
      options: longGreeting,
      ...(isReadOnly ? { default_transaction_read_only: true } : {}),
    },
    transform: { undefined: null },
  }
  const connect = (chosen: ChosenOptions<typeof options>): Pool =>
    typeof connection === 'string' ? postgres(connection, chosen) : postgres({ ...connection, ...chosen })
  const pool = begun(connect(options))
  mendRepeats(pool)
  const searching = begun(
    connect({
      ...options,
      max: searchConnections,
      prepare: false,
      connection: {
        ...options.connection,
        statement_timeout: searchTimeoutMs,
        plan_cache_mode: 'force_custom_plan',
      },
    }),
  )
  const listening = openListening((hooks) =>
    connect({ ...options, ...hooks, max: 1, max_lifetime: null, fetch_types: false }),
  )
  // A question that is under way is shared by all who ask meanwhile.
  const probe = connect({ ...options, max: 1, fetch_types: false })
  let asking: Promise<void> | undefined
  const ask = async () => {
    await probe`select 1`
  }
  return {
    db: pool,
    searching,
    ping() {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    transaction: (work) => repeatedly(() => begin(pool, '', work)),
    snapshot: (work) => repeatedly(() => begin(pool, 'isolation level repeatable read read only', work)),
    listen: listening.listen,
    async connections() {
      const [row] = await pool<{ open: string }[]>`
        select count(*) as open from pg_stat_activity where application_name = ${name}
      `
      return { open: Number(row?.open), most: connections + searchConnections + 1 }
    },
    async close() {
      await Promise.all([
        listening.close(),
        ...[pool, searching, probe].map((each) => each.end({ timeout: 5 })),
      ])
    },
  }
}
