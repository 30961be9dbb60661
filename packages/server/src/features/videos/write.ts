import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { checkFetched } from '../../fetching/target.js'
import { sharePlaylistsFor } from '../../films/categories.js'
import { insertVideo } from '../../films/insert-video.js'
import { insertImport } from '../../jobs/imports/start-import.js'
import type { Sealer } from '../../lib/sealing.js'
import type { Call, Parts } from '../../resources/feature.js'
import { find, type Scope, update } from '../../resources/store.js'
import { imageColumns, splitImages } from '../images.js'
import { applyAttached, checkPreviews, holdFirst, splitAttached } from './attached.js'

const { videos } = catalog

/** Inserts a video and the records that came with it, except images, in the caller's transaction; returns its record. */
export async function insertWithParts(
  tx: Db,
  sealer: Sealer,
  scope: Scope,
  // Everybody who reads the video could read the address, so only its import stores it.
  { source_url: _address, ...given }: Call['body'],
  _id: string,
): Promise<string> {
  const { fields, attached } = splitAttached(splitImages(given).fields)
  await sharePlaylistsFor(tx, scope, fields)
  await holdFirst(tx, scope, attached)
  await checkPreviews(tx, scope, fields)
  const record = await insertVideo(tx, sealer, scope, fields, _id)
  if (!attached) return record
  await applyAttached(tx, sealer, scope, _id, attached)
  return (await find(tx, sealer, videos, scope, _id)) ?? ''
}

/** Stores the images that came with a video; returns its record, or undefined if there are none. */
export async function showImages(
  tx: Db,
  parts: Pick<Parts, 'playerUrl' | 'sealer' | 'files'>,
  scope: Scope,
  _id: string,
  body: Call['body'],
): Promise<string | undefined> {
  const { pictures } = splitImages(body)
  if (!pictures) return undefined
  const owner = { site_id: scope.site_id, owner_id: _id }
  const columns = await imageColumns(tx, parts, 'videos', owner, pictures)
  return update(tx, parts.sealer, videos, scope, _id, columns)
}

/** Whether a film is to be imported for the video. */
export const hasAddress = ({ source_url }: Call['body']): boolean =>
  typeof source_url === 'string' && source_url !== ''

/** Begins the import of a video's film, in the caller's transaction; returns the video's record. */
export async function importFor(
  tx: Db,
  sealer: Sealer,
  scope: Scope,
  video_id: string,
  { source_url }: Call['body'],
): Promise<string> {
  checkFetched(source_url, 'source_url')
  const [video] = await tx<{ title: string }[]>`
    select title from videos where site_id = ${scope.site_id} and _id = ${video_id} and deleted_at is null for update
  `
  if (!video) throw notFound(videos.name)
  await insertImport(tx, sealer, scope, { source_url, video_id, title: video.title })
  return (await find(tx, sealer, videos, scope, video_id)) ?? ''
}
