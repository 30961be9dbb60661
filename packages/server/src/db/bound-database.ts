import type { Database, Db } from './database.js'
import type { Transaction } from './transactions.js'

const outsides = new WeakMap<Db, Db>()

/**
 * The database within one transaction: everything that is read and written with it belongs to that transaction, and its
 * own transactions become savepoints.
 */
export function boundTo(database: Database, tx: Db): Database {
  outsides.set(tx, outsides.get(database.db) ?? database.searching)
  return {
    ...database,
    db: tx,
    searching: tx,
    transaction: (work) => (tx as Transaction).savepoint(work),
    snapshot: (work) => work(tx),
  }
}

/**
 * The pool around such a transaction, for what must last even if the transaction is undone. It is the one for searches:
 * waiting for a second connection of the same pool could wait indefinitely.
 */
export const outside = (db: Db): Db => outsides.get(db) ?? db
