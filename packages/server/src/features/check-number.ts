import type { Db } from '../db/database.js'
import { invalid } from '../errors.js'

/** Throws 422 if a channel has as many rows of a table as it may have. Concurrent requests wait for each other here. */
export async function checkNumber(
  tx: Db,
  table: 'named_keys' | 'webhooks',
  site_id: string,
  most: number,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${table} ${site_id}`}, 0))`
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from ${tx(table)} where site_id = ${site_id}
  `
  if ((row?.count ?? 0) >= most)
    throw invalid(
      `A channel has at most ${most} ${table.replace('_', ' ')}. Remove one that is no longer used first.`,
    )
}
