import { catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import type { Sealer } from '../lib/sealing.js'
import { insertNamed } from '../resources/named.js'
import type { Scope, Values } from '../resources/store.js'
import { sharePlaylists } from './share-playlists.js'

/** The one place that inserts rows of videos: under a friendly title of their own, and seen by the rules of playlists. Returns the record. */
export async function insertVideoRow(
  tx: Db,
  sealer: Sealer,
  scope: Scope,
  values: Values & { readonly _id: string },
): Promise<string> {
  if (Array.isArray(values.categories) && values.categories.length > 0) await sharePlaylists(tx, scope)
  return insertNamed(tx, sealer, catalog.videos, scope, values)
}
