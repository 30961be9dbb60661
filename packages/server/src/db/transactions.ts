import { setImmediate as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { isNetworkError, violation } from './violation.js'

export type Pool = postgres.Sql<Record<string, never>>
type Transaction = postgres.TransactionSql<Record<string, never>>
type Within<T> = (tx: Transaction) => Promise<T>

/** The members of the driver's statements that are of interest here. */
interface SentStatement {
  handler: (statement: SentStatement) => void
  reject: (error: unknown) => void
}

/** The connection of a transaction, while the transaction has it. */
interface HeldConnection {
  /** From then on nothing is sent. It is also set when the transaction has failed. */
  isLost: boolean
  /** Rejects at the same moment. */
  readonly loss: Promise<never>
  readonly lose: (error: unknown) => void
}

/** A transaction or a savepoint in it. */
interface TransactionScope {
  isOver: boolean
  /** What the work has thrown. */
  failure?: unknown
  readonly outer?: TransactionScope
  readonly held: HeldConnection
}

const mostTries = 4
const patienceMs = 2000

/**
 * Runs `work` in a transaction. When a connection was lost, the driver may give the error to the next who uses it, so a
 * transaction that could not begin for that reason begins again.
 */
export async function begin<T>(pool: Pool, mode: string, work: Within<T>): Promise<T> {
  const since = performance.now()
  for (let tries = 1; ; tries += 1) {
    let hasBegun = false
    try {
      return await once(pool, mode, (tx) => {
        hasBegun = true
        return work(tx)
      })
    } catch (error) {
      const isTooLate = tries === mostTries || performance.now() - since > patienceMs
      if (hasBegun || isTooLate || violation(error) !== 'interrupted') throw error
    }
  }
}

/**
 * When a connection is lost, the driver rejects the transaction and does nothing else: later statements of `work`, and the
 * driver's own commit or rollback, would be sent in the next session of that connection, where another transaction may be
 * running. This function sends none of them. It also refuses statements that are sent after `work` has returned.
 */
async function once<T>(pool: Pool, mode: string, work: Within<T>): Promise<T> {
  const held = heldConnection()
  const outcome = pool.begin(mode, (tx) => inScope({ isOver: false, held }, tx, work))
  outcome.catch(held.lose)
  return (await Promise.race([outcome, held.loss])) as T
}

function heldConnection(): HeldConnection {
  let reject = (_: unknown) => {}
  const loss = new Promise<never>((_, rejectLoss) => {
    reject = rejectLoss
  })
  loss.catch(() => {})
  const held: HeldConnection = {
    isLost: false,
    loss,
    lose: (error) => {
      held.isLost = true
      reject(error)
    },
  }
  return held
}

async function inScope<T>(scope: TransactionScope, tx: Transaction, work: Within<T>): Promise<T> {
  try {
    return await work(guarded(scope, tx))
  } catch (error) {
    scope.failure = error
    // After a loss, the driver closes the connection within two turns of the event loop.
    await pause()
    await pause()
    throw error
  } finally {
    scope.isOver = true
    // The driver sends the commit or rollback when this settles, so it never does.
    if (scope.held.isLost || (scope.outer && isOver(scope.outer))) await new Promise(() => {})
  }
}

/** The same transaction, which refuses what comes too late. */
function guarded(scope: TransactionScope, tx: Transaction): Transaction {
  const statement = (...args: Parameters<Transaction>) => watched(scope, tx(...args))
  return Object.assign(statement, tx, {
    unsafe: (...args: Parameters<Transaction['unsafe']>) => watched(scope, tx.unsafe(...args)),
    savepoint: <T>(work: Within<T>) => savepoint(scope, tx, work),
  }) as unknown as Transaction
}

async function savepoint<T>(scope: TransactionScope, tx: Transaction, work: Within<T>): Promise<T> {
  const { held } = scope
  const error = refusal(scope)
  if (error) throw error
  const inner: TransactionScope = { isOver: false, outer: scope, held }
  const outcome = tx.savepoint((innerTx) => inScope(inner, innerTx, work)) as Promise<T>
  // The statements of the driver itself are not watched.
  outcome.catch((failure) => {
    if (failure !== inner.failure && isNetworkError(failure)) held.lose(failure)
  })
  return Promise.race([outcome, held.loss])
}

/** A statement is sent when somebody waits for it, which may be long after it was written. */
function watched(scope: TransactionScope, written: unknown): unknown {
  // Names and lists of values are not sent.
  if (!(written instanceof Promise)) return written
  const statement = written as unknown as SentStatement
  const { handler, reject } = statement
  statement.handler = (sent) => {
    const error = refusal(scope)
    if (error) sent.reject(error)
    else handler(sent)
  }
  statement.reject = (error) => {
    if (isNetworkError(error)) scope.held.lose(error)
    reject(error)
  }
  return written
}

function refusal(scope: TransactionScope): Error | undefined {
  if (isOver(scope)) return new Error('This transaction is over.')
  if (!scope.held.isLost) return undefined
  const message = 'The connection was lost, and the transaction with it.'
  return Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' })
}

const isOver = ({ isOver: isScopeOver, outer }: TransactionScope): boolean =>
  isScopeOver || (outer !== undefined && isOver(outer))
