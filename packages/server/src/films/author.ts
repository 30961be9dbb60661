import type { Db } from '../db/database.js'
import { type Fragment, run, sql } from '../db/fragment.js'

/**
 * A condition that is always true and names the author of every change to videos until the transaction ends. An update
 * that is a transaction of its own has it in its `where`: it is evaluated before the row is written. The setting is local
 * to the transaction, so a connection that others use afterwards does not keep it.
 */
export const isSignedBy = (author: string): Fragment =>
  sql`set_config('zoetrope.author', ${author}, true) is not null`

/** Names the author of every change to videos in this transaction. */
export async function signAs(tx: Db, author: string): Promise<void> {
  await run(tx, sql`select ${isSignedBy(author)}`)
}
