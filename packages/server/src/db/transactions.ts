import { setImmediate as pause } from 'node:timers/promises'
import type postgres from 'postgres'
import { violation } from './violation.js'

export type Pool = postgres.Sql<Record<string, never>>
type Transaction = postgres.TransactionSql<Record<string, never>>
type Within<T> = (tx: Transaction) => Promise<T>

/** The session in which a transaction runs. */
interface HeldSession {
  isLost: boolean
}

/** A pool may have this many connections that were lost and that the driver has not spoken on since. */
const mostTries = 4

/**
 * Runs `work` in a transaction. After a connection was lost, the driver may give its error to whoever asks for the next on
 * it, so a transaction that could not begin for that reason begins again.
 */
export async function begin<T>(pool: Pool, mode: string, work: Within<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let hasBegun = false
    try {
      return await once(pool, mode, (tx) => {
        hasBegun = true
        return work(tx)
      })
    } catch (error) {
      if (hasBegun || tries === mostTries || violation(error) !== 'interrupted') throw error
    }
  }
}

/**
 * When a connection is lost, the driver only says so: what `work` sends afterwards, and the driver's own commit or rollback,
 * would go to the next session on that connection, where another transaction may be under way. Here nothing more is sent.
 * Nor is what somebody sends whom `work` did not wait for, when it is over.
 */
async function once<T>(pool: Pool, mode: string, work: Within<T>): Promise<T> {
  const session: HeldSession = { isLost: false }
  const outcome = pool.begin(mode, (tx) => holding(session, tx, work))
  outcome.catch(() => {
    session.isLost = true
  })
  return (await outcome) as T
}

async function holding<T>(session: HeldSession, tx: Transaction, work: Within<T>): Promise<T> {
  let isOver = false
  const refuseLate = () => {
    if (session.isLost) throw lost()
    if (isOver) throw new Error('This transaction is over.')
  }
  try {
    return await work(guarded(session, tx, refuseLate))
  } catch (error) {
    // A statement fails a moment before the driver tells that its connection was lost.
    await pause()
    throw error
  } finally {
    isOver = true
    // The driver has told who waits for the transaction. It sends the commit or rollback when this settles.
    if (session.isLost) await new Promise(() => {})
  }
}

const lost = () =>
  Object.assign(new Error('The connection was lost, and the transaction with it.'), {
    code: 'CONNECTION_CLOSED',
  })

function guarded(session: HeldSession, tx: Transaction, refuseLate: () => void): Transaction {
  const statement = (...args: Parameters<Transaction>) => {
    refuseLate()
    return tx(...args)
  }
  return Object.assign(statement, tx, {
    unsafe: (...args: Parameters<Transaction['unsafe']>) => {
      refuseLate()
      return tx.unsafe(...args)
    },
    savepoint: <T>(work: Within<T>) => {
      refuseLate()
      return tx.savepoint((inner) => holding(session, inner, work))
    },
  }) as unknown as Transaction
}
