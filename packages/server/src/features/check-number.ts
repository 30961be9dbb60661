import type { Db } from '../db/database.js'
import { allOf, sql } from '../db/fragment.js'
import { invalid } from '../errors.js'
import type { Scope } from '../resources/store.js'

/**
 * Throws 422, with this message, if there are as many rows as there may be: of a channel, or of the record that the scope
 * names. Concurrent requests wait for each other here.
 */
export async function checkNumber(
  tx: Db,
  table: string,
  scope: Scope,
  most: number,
  message: string,
): Promise<void> {
  const within = Object.entries(scope).map(([column, id]) => sql`${tx(column)} = ${id}`)
  await tx`select pg_advisory_xact_lock(hashtextextended(${[table, ...Object.values(scope)].join(' ')}, 0))`
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from ${tx(table)} where ${allOf(within)}
  `
  if ((row?.count ?? 0) >= most) throw invalid(message)
}
