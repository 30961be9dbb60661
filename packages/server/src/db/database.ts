import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { LinkOptions } from './link.js'
import { openListening } from './listening.js'
import { openPool, type Pool } from './pool.js'
import { type Db, taggedWith } from './sql.js'
import type { Send } from './statement.js'
import { statementNames } from './statement-names.js'
import { begin } from './transactions.js'
import { isDeadlock, isStalePlan } from './violation.js'

export type { Db } from './sql.js'

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

const searchConnections = 4
const searchTimeoutMs = 20_000
const statementTimeoutMs = 60_000
const connectTimeoutMs = 5000
let pools = 0

/** How this process is called in PostgreSQL. In containers, several have the same pid. */
export const processName = `zoetrope ${process.pid}-${randomBytes(4).toString('hex')}`

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

/** Sends a statement again that PostgreSQL would not run with its old plan. */
const sendOn =
  (pool: Pool): Send =>
  (statement) =>
    pool.send(statement).catch((error) => {
      if (statement.isPrepared && isStalePlan(error)) return pool.send(statement)
      throw error
    })

function configOf({ connection }: DatabaseOptions): ClientConfig {
  if (typeof connection === 'string') return { connectionString: connection }
  const { username, ...others } = connection
  return { ...others, user: username }
}

export function openDatabase(options: DatabaseOptions): Database {
  const { connections, isReadOnly = false } = options
  pools += 1
  const name = `${processName}.${pools}`
  const link: LinkOptions = {
    config: {
      ...configOf(options),
      application_name: name,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
    },
    settings: {
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...(isReadOnly ? { default_transaction_read_only: 'on' } : {}),
      // Planning a list takes longer than reading it, so a statement is planned once for whatever values it will have.
      plan_cache_mode: 'force_generic_plan',
    },
    names: statementNames(),
  }
  const pool = openPool({ ...link, max: connections })
  const searches = openPool({
    ...link,
    max: searchConnections,
    config: { ...link.config, statement_timeout: searchTimeoutMs },
    settings: { ...link.settings, plan_cache_mode: 'force_custom_plan' },
  })
  const listening = openListening(link)
  const probe = openPool({ ...link, max: 1 })
  const db = taggedWith(sendOn(pool), true)
  const ask = async () => {
    await taggedWith(probe.send, false)`select 1`
  }
  // A question that is under way is shared by all who ask meanwhile.
  let asking: Promise<void> | undefined
  return {
    db,
    searching: taggedWith(searches.send, false),
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
      const [row] = await db<{ open: string }[]>`
        select count(*) as open from pg_stat_activity where application_name = ${name}
      `
      return { open: Number(row?.open), most: connections + searchConnections + 1 }
    },
    async close() {
      await Promise.all([listening, pool, searches, probe].map((each) => each.close()))
    },
  }
}
