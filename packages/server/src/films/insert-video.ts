import { type BodyOf, type Catalog, catalog, hasSchedule, moment, planSwitches } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { newId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'
import { insertNamed, type Scope, type Values } from '../resources/store.js'
import { type CategoryFields, sharePlaylistsFor, withCategories } from './categories.js'
import { type FormatFields, withFormats } from './formats.js'

/** The columns of a new video, and the fields from which columns are computed. */
type NewVideo = Values & CategoryFields & FormatFields & Pick<BodyOf<Catalog['videos']>, 'active'>

/**
 * Inserts a video in the caller's transaction, and returns its record. All rows of `videos` are inserted here: with a
 * friendly title of their own, seen by the rules of playlists, and active as their schedule says.
 */
export async function insertVideo(tx: Db, scope: Scope, fields: NewVideo, _id = newId()): Promise<string> {
  await sharePlaylistsFor(tx, scope, fields)
  const values = await withCategories(tx, scope, withFormats(fields))
  const switches = planSwitches(
    { active: true, enable_at: moment(values.enable_at), disable_at: moment(values.disable_at) },
    hasSchedule(values),
    fields.active,
    new Date(),
  )
  return insertNamed(tx, catalog.videos, scope, { _id, ...values, ...switches })
}

/** Shows a new video in lists, and waits for its schedule. Call it after the transaction that inserts it. */
export async function announceVideo(
  { freshness }: Pick<Parts, 'freshness'>,
  { site_id }: Scope,
  fields: Values,
): Promise<void> {
  freshness.touch(site_id, catalog.videos.plural)
  if (hasSchedule(fields)) await freshness.reschedule()
}
