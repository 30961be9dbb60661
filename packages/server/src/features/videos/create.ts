import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { insertVideoRow } from '../../films/insert-video.js'
import { insertImport } from '../../jobs/imports/start-import.js'
import { newId } from '../../lib/object-id.js'
import type { Sealer } from '../../lib/sealing.js'
import type { Call, Parts } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, type Scope, update } from '../../resources/store.js'
import { checkFetched } from '../fetched-address.js'
import { imageColumns, splitImages } from '../images.js'
import { applyAttached, checkPreviews, holdFirst, splitAttached } from './attached.js'
import { authorOf } from './author.js'
import { holdPlaylists, withCategories } from './categories.js'
import { withFormats } from './formats.js'
import { planSwitches } from './schedule.js'

const { videos } = catalog

/** A video gets a friendly title of its own, and the schedule it was given takes effect. With an address its film is fetched. */
export async function createVideo({ parts, principal, scope, body }: Call) {
  const { database, sealer } = parts
  const _id = newId()
  const record = await database.transaction(async (tx) => {
    const made = await insertVideo(tx, sealer, scope, { ...body, created_by: authorOf(principal) }, _id)
    const shown = await showImages(tx, parts, scope, _id, body)
    return hasAddress(body) ? importFor(tx, sealer, scope, _id, body) : (shown ?? made)
  })
  await announceVideo(parts, scope, body)
  return answer(record)
}

/** Whether a film is to be fetched for the video. */
export const hasAddress = ({ source_url }: Call['body']): boolean =>
  typeof source_url === 'string' && source_url !== ''

/** Gives a video the images that came with it; answers with its record if there are any. */
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

/** Has the film of a video fetched, in the caller's transaction; answers with the video's record. */
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

/** The same in a transaction of the caller, who announces it afterwards. Answers with the record. */
export async function insertVideo(
  db: Db,
  sealer: Sealer,
  scope: Scope,
  // Whoever reads a video might see the address: only its import keeps it.
  { source_url: _address, ...given }: Call['body'],
  _id = newId(),
): Promise<string> {
  const { fields, attached } = splitAttached(splitImages(given).fields)
  await holdPlaylists(db, scope, fields)
  await holdFirst(db, scope, attached)
  await checkPreviews(db, scope, fields)
  const body = await withCategories(db, scope, withFormats(fields))
  const { active, switches_at } = planSwitches(
    { active: true, enable_at: moment(body.enable_at), disable_at: moment(body.disable_at) },
    hasSchedule(body),
    body.active as boolean | undefined,
    new Date(),
  )
  const record = await insertVideoRow(db, sealer, scope, { ...body, _id, active, switches_at })
  if (!attached) return record
  await applyAttached(db, sealer, scope, _id, attached)
  return (await find(db, sealer, videos, scope, _id)) ?? ''
}

const hasSchedule = ({ enable_at, disable_at }: Call['body']) => enable_at != null || disable_at != null

/** Lists show it from now on, and its switches are waited for. */
export async function announceVideo(
  { freshness }: Pick<Parts, 'freshness'>,
  { site_id }: Scope,
  body: Call['body'],
): Promise<void> {
  freshness.touch(site_id, videos.plural)
  if (hasSchedule(body)) await freshness.reschedule()
}

export const moment = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null)
