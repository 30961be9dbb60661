import { DatabaseError } from 'pg'
import { lostTransaction } from './connection-error.js'
import type { DatabaseLink } from './link.js'
import type { Pool } from './pool.js'
import { type Db, taggedWith } from './sql.js'
import type { Send } from './statement.js'
import { violation } from './violation.js'

type Within<T> = (tx: Transaction) => Promise<T>

export interface Transaction extends Db {
  /** Runs `work` in a savepoint: what it throws undoes only its own statements. */
  savepoint<T>(work: Within<T>): Promise<T>
}

/** A transaction, or a savepoint in one. */
interface TransactionScope {
  readonly link: DatabaseLink
  readonly outer: TransactionScope | undefined
  /** Of the whole transaction: it ended with its connection. */
  readonly ending: { wasLost: boolean }
  isOver: boolean
  /** The first statement that failed, even if `work` went on. */
  failure: unknown
  savepoints: number
}

const mostTries = 4
const patienceMs = 2000

/**
 * Runs `work` in a transaction. A connection may be lost without our noticing, so a transaction that could not begin for that
 * reason begins again on another.
 */
export async function begin<T>(pool: Pool, mode: string, work: Within<T>): Promise<T> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    const link = await pool.hold()
    try {
      await command(link, `begin ${mode}`)
    } catch (error) {
      pool.release(link)
      const isTooLate = tries === mostTries || performance.now() - since > patienceMs
      if (isTooLate || violation(error) !== 'interrupted') throw error
      continue
    }
    return await inTransaction(pool, link, work)
  }
}

const command = (link: DatabaseLink, text: string) =>
  link.send({ text, values: [], isPrepared: false, isRaw: false })

/** If the connection is lost, the transaction fails at once, whatever `work` is waiting for. */
async function inTransaction<T>(pool: Pool, link: DatabaseLink, work: Within<T>): Promise<T> {
  const scope = newScope(link, undefined)
  try {
    const result = await untilLost(link, outcomeOf(scope, work))
    await command(link, 'commit')
    return result
  } catch (error) {
    if (link.loss) scope.ending.wasLost = true
    // A session that cannot be rolled back is given to nobody else.
    else await command(link, 'rollback').catch(() => link.destroy())
    throw error
  } finally {
    scope.isOver = true
    pool.release(link)
  }
}

const newScope = (link: DatabaseLink, outer: TransactionScope | undefined): TransactionScope => ({
  link,
  outer,
  ending: outer?.ending ?? { wasLost: false },
  isOver: false,
  failure: undefined,
  savepoints: 0,
})

function untilLost<T>(link: DatabaseLink, outcome: Promise<T>): Promise<T> {
  const lost = link.ended.then((loss) => {
    throw loss
  })
  lost.catch(() => {})
  return Promise.race([outcome, lost])
}

/** The result of `work`. A statement that failed undoes what came before it, so its error counts, also if `work` ignored it. */
async function outcomeOf<T>(scope: TransactionScope, work: Within<T>): Promise<T> {
  try {
    const result = await work(dbOf(scope))
    if (scope.failure !== undefined) throw scope.failure
    return result
  } catch (error) {
    throw isConsequence(error) ? (scope.failure ?? error) : error
  } finally {
    scope.isOver = true
  }
}

/** PostgreSQL refuses statements after one that failed. */
const isConsequence = (error: unknown) => error instanceof DatabaseError && error.code === '25P02'

function dbOf(scope: TransactionScope): Transaction {
  const send: Send = (statement) => {
    const refused = refusal(scope)
    if (refused) return Promise.reject(refused)
    const outcome = scope.link.send(statement)
    outcome.catch((error) => {
      scope.failure ??= error
    })
    return outcome
  }
  return Object.assign(taggedWith(send, true), {
    savepoint: <T>(work: Within<T>) => savepoint(scope, work),
  })
}

async function savepoint<T>(outer: TransactionScope, work: Within<T>): Promise<T> {
  const refused = refusal(outer)
  if (refused) throw refused
  const { link } = outer
  const name = `s${depthOf(outer)}_${outer.savepoints}`
  outer.savepoints += 1
  await command(link, `savepoint ${name}`)
  try {
    return await untilLost(link, outcomeOf(newScope(link, outer), work))
  } catch (error) {
    // Nobody waited for it: the transaction is over, and others may use the connection.
    if (isOver(outer) && !outer.ending.wasLost) return await new Promise(() => {})
    if (!link.loss) await command(link, `rollback to ${name}`)
    throw error
  }
}

const depthOf = ({ outer }: TransactionScope): number => (outer ? 1 + depthOf(outer) : 0)

function refusal(scope: TransactionScope): Error | undefined {
  if (scope.link.loss) return lostTransaction()
  return isOver(scope) ? new Error('This transaction is over.') : undefined
}

const isOver = ({ isOver: isScopeOver, outer }: TransactionScope): boolean =>
  isScopeOver || (outer !== undefined && isOver(outer))
