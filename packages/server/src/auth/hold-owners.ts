import type { Db } from '../db/database.js'

/**
 * Keeps app and consumer as they are until the transaction ends. Whoever locks what belongs to them does this first, as
 * their removal and a change of password do: the other order could lock both out.
 */
export async function holdOwners(
  tx: Db,
  { site_id, app_id }: { readonly site_id: string; readonly app_id: string },
  whose: ReturnType<Db>,
): Promise<void> {
  await tx`select from apps where site_id = ${site_id} and _id = ${app_id} for key share`
  await holdConsumer(tx, site_id, whose)
}

/** The same for the consumer alone; false when there is none. */
export async function holdConsumer(tx: Db, site_id: string, whose: ReturnType<Db>): Promise<boolean> {
  const { count } = await tx`
    select from consumers where site_id = ${site_id} and _id = (${whose}) for no key update
  `
  return count > 0
}
