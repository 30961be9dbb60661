import type { Db } from '../db/database.js'

/**
 * Locks app and consumer until the transaction ends. Call it before locking anything that belongs to them, as
 * deletion and password changes do; the opposite order could deadlock.
 */
export async function holdOwners(
  tx: Db,
  { site_id, app_id }: { readonly site_id: string; readonly app_id: string },
  whose: ReturnType<Db>,
): Promise<void> {
  await tx`select from apps where site_id = ${site_id} and _id = ${app_id} for key share`
  await holdConsumer(tx, site_id, whose)
}

/** The same for the consumer alone; false if it does not exist. */
export async function holdConsumer(tx: Db, site_id: string, whose: ReturnType<Db>): Promise<boolean> {
  const { count } = await tx`
    select from consumers where site_id = ${site_id} and _id = (${whose}) for no key update
  `
  return count > 0
}
