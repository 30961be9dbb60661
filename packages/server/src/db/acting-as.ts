import type { Database, Db } from './database.js'
import { type Fragment, sql } from './fragment.js'

/** Who makes a change, as its events show it. */
export interface Actor {
  /** The kind of caller, and its id if it has one: `owner 65f0…`, `admin`, `job prepare`. */
  readonly name: string
  readonly requestId?: string
}

const actors = new WeakMap<Db, Actor>()

/**
 * The same database on behalf of an actor. The name is local to each transaction, so a connection that others use
 * afterwards does not keep it, and is sent together with the first statement.
 */
export function actingAs(database: Database, actor: Actor): Database {
  // A proxy without traps: the same pool, under an identity of its own.
  const db = new Proxy(database.db, {})
  actors.set(db, actor)
  return {
    ...database,
    db,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const naming = nameActor(tx, actor)
        const result = await work(tx)
        await naming
        return result
      }),
  }
}

/** Names the actor of every change until the transaction ends. What follows need not wait for it. */
export async function nameActor(tx: Db, { name, requestId = '' }: Actor): Promise<void> {
  const naming = tx`
    select set_config('zoetrope.actor', ${name}, true), set_config('zoetrope.request', ${requestId}, true)
  `.execute()
  // If it fails, so does the transaction; the first failure is the one to report.
  await naming.catch(() => {})
}

/**
 * What a single statement that writes returns in addition, to name its actor. Triggers that write events run after it; in
 * a transaction, the actor is already named.
 */
export function naming(db: Db): Fragment {
  const actor = actors.get(db)
  if (!actor) return sql``
  return sql`, set_config('zoetrope.actor', ${actor.name}, true), set_config('zoetrope.request', ${actor.requestId ?? ''}, true)`
}
