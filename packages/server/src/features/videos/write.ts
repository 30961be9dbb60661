import { type BodyOf, type Catalog, catalog, hasSchedule } from '@zoetrope/contract'
import { authorOf } from '../../auth/actor.js'
import type { Db } from '../../db/database.js'
import { hasCategories, sharePlaylistsFor } from '../../films/categories.js'
import { hasAddress, importFor } from '../../films/imports/start-import.js'
import { insertVideo } from '../../films/insert-video.js'
import { newId } from '../../lib/object-id.js'
import type { Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, type Scope, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { type ImageFields, imageColumns, splitImages } from '../images.js'
import { type AttachedFields, applyAttached, checkPreviews, holdFirst, splitAttached } from './attached.js'

const { videos } = catalog

type SignedVideo = BodyOf<Catalog['videos'], 'create'> & { readonly created_by: string | null }

/** Creates a video with its nested records. With a `source_url`, imports its film. */
export async function createVideo({ parts, principal, scope, body }: CallOf<'videos', 'create'>) {
  const { database } = parts
  const _id = newId()
  const insertIn = (db: Db) => insertWithParts(db, scope, { created_by: authorOf(principal), ...body }, _id)
  const createTogether = async (tx: Db) => {
    const made = await insertIn(tx)
    const shown = await showImages(tx, parts, scope, _id, body)
    return hasAddress(body) ? importFor(tx, parts, scope, _id, body) : (shown ?? made)
  }
  // A transaction around one statement would take two more round trips to the database.
  const isAlone = touchesOnlyColumns(body)
  const record = isAlone ? await insertIn(database.db) : await database.transaction(createTogether)
  if (hasSchedule(body)) await parts.freshness.reschedule()
  return answer(record)
}

/**
 * Whether these fields are only columns of the video, and depend on no other table. One statement writes them, without a
 * transaction around it.
 */
export const touchesOnlyColumns = (body: AttachedFields & ImageFields & Values): boolean =>
  !splitAttached(body).attached &&
  !splitImages(body).pictures &&
  !hasCategories(body) &&
  !Object.hasOwn(body, 'preview_ids') &&
  !hasAddress(body)

/** Inserts a video and its nested records, except images, in the caller's transaction. Returns its record. */
export async function insertWithParts(
  tx: Db,
  scope: Scope,
  // Only the import stores the address, because everybody who reads the video could read it there.
  { source_url: _address, ...given }: SignedVideo,
  _id: string,
): Promise<string> {
  const { fields, attached } = splitAttached(splitImages(given).fields)
  await sharePlaylistsFor(tx, scope, fields)
  await holdFirst(tx, scope, attached)
  await checkPreviews(tx, scope, fields)
  const record = await insertVideo(tx, scope, fields, _id)
  if (!attached) return record
  await applyAttached(tx, scope, _id, attached)
  return (await find(tx, videos, scope, _id)) ?? ''
}

/** Stores the images sent with a video. Returns its record, or undefined if there are none. */
export async function showImages(
  tx: Db,
  parts: Pick<Parts, 'mediaUrl' | 'files'>,
  scope: Scope,
  _id: string,
  body: ImageFields,
): Promise<string | undefined> {
  const { pictures } = splitImages(body)
  if (!pictures) return undefined
  const owner = { site_id: scope.site_id, owner_id: _id }
  const columns = await imageColumns(tx, parts, 'videos', owner, pictures)
  return update(tx, videos, scope, _id, columns)
}
