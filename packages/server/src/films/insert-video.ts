import { catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { insertNamed } from '../resources/named.js'
import type { Scope, Values } from '../resources/store.js'

/** The one place that inserts rows of videos: under a friendly title of their own. Returns the record. */
export async function insertVideoRow(
  tx: Db,
  sealer: Sealer,
  scope: Scope,
  values: Values & { readonly _id: string },
): Promise<string> {
  return insertNamed(tx, sealer, catalog.videos, scope, values)
}
