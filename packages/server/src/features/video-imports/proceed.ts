import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { enqueueImport } from '../../films/film-jobs.js'
import { expectFilm, expectNoFilm } from '../../films/imports/start-import.js'
import { announceVideo } from '../../films/insert-video.js'
import { newUnguessableId } from '../../lib/object-id.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, remove, type Scope, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { existing, type ImportFields, newVideo } from './create.js'

interface ImportRow extends ImportFields {
  readonly _id: string
  readonly video_id: string | null
  readonly status: string
  readonly held_by: string | null
  readonly media_source_id: string
  readonly [field: string]: unknown
}

const isUnderWay = ({ status }: ImportRow) => status === 'created' || status === 'downloading'

/** Locks an import and changes it. Returns its record, or undefined if it was deleted. */
async function change(call: Call, work: (tx: Db, row: ImportRow) => Promise<void>) {
  const { parts, resource, scope, id } = call
  const record = await parts.database.transaction(async (tx) => {
    // To avoid deadlocks, always lock the video before its imports.
    await tx`
      select from videos where site_id = ${scope.site_id} and _id = (
        select video_id from video_imports where site_id = ${scope.site_id} and _id = ${id}
      ) for update
    `
    const [row] = await tx<ImportRow[]>`
      select * from video_imports where site_id = ${scope.site_id} and _id = ${id} for update
    `
    if (!row) throw notFound(resource.name)
    await work(tx, row)
    return find(tx, resource, scope, id)
  })
  await announceVideo(parts, scope, {})
  return record === undefined ? undefined : answer(record)
}

const set = (tx: Db, scope: Scope, { _id }: ImportRow, values: Values) =>
  update(tx, catalog.video_imports, scope, _id, values)

/** Enqueues the job that fetches the film or, if the import has ended, deletes its bytes. */
const proceed = (tx: Db, { site_id }: Scope, import_id: string, media_source_id: string) =>
  enqueueImport(tx, { site_id, import_id, media_source_id })

const untouched = { held_by: null, held_until: null }

/** Cancels an import. The job that fetches it notices and deletes the received bytes. */
export function cancelImport(call: Call) {
  return change(call, async (tx, row) => {
    if (row.status === 'cancelled') return
    if (!isUnderWay(row)) throw invalid(`There is nothing to cancel: the import is ${row.status}.`)
    const ended = { status: 'cancelled', status_reason: null, finished_at: new Date(), ...untouched }
    await set(tx, call.scope, row, ended)
    await expectNoFilm(tx, call.scope, row.video_id)
    await proceed(tx, call.scope, row._id, row.media_source_id)
  })
}

/** Stops and deletes an import. The video is not deleted. */
export async function removeImport(call: Call) {
  return change(call, async (tx, row) => {
    await remove(tx, call.resource, call.scope, row._id)
    if (isUnderWay(row)) await expectNoFilm(tx, call.scope, row.video_id)
    await proceed(tx, call.scope, row._id, row.media_source_id)
  })
}

/** Restarts an import at once. A failed download resumes where possible. */
export function retryImport(call: Call) {
  return change(call, async (tx, row) => {
    if (row.status === 'ready')
      throw invalid('This import is finished. To fetch the file again, make another import.')
    if (row.video_id === null) throw invalid('This import has no video yet. Give it one with add_video.')
    // It is being fetched already.
    if (row.held_by !== null) return
    await existing(tx, call.scope, row.video_id)
    await beginAnew(tx, call.scope, row, row.video_id)
  })
}

/** Retries the latest import of a locked video. Returns false if it neither failed nor is downloading. */
export async function retryImportOf(tx: Db, scope: Scope, video_id: string): Promise<boolean> {
  const [row] = await tx<ImportRow[]>`
    select * from video_imports where site_id = ${scope.site_id} and video_id = ${video_id}
    order by created_at desc, _id desc limit 1 for update
  `
  if (row?.status !== 'failed' && row?.status !== 'downloading') return false
  if (row.held_by === null) await beginAnew(tx, scope, row, video_id)
  return true
}

async function beginAnew(tx: Db, scope: Scope, row: ImportRow, video_id: string) {
  await expectFilm(tx, scope, video_id, row._id)
  const again = { status: 'created', status_reason: null, failures: 0, started_at: null, finished_at: null }
  const media_source_id = row.status === 'cancelled' ? newUnguessableId() : row.media_source_id
  const fresh = { media_source_id, validator: null, bytes: 0, progress: null, total_bytes: null }
  const values = { ...again, ...untouched, ...(row.status === 'cancelled' ? fresh : {}) }
  await set(tx, scope, row, values)
  await proceed(tx, scope, row._id, media_source_id)
}

/** Assigns a video to an import that has none, and starts it. */
export function addVideoToImport(call: CallOf<'video_imports', 'add_video'>) {
  return change(call, async (tx, row) => {
    const wanted = call.body.video_id
    if (row.video_id !== null) {
      if (wanted && wanted !== row.video_id)
        throw invalid('This import has a video already. Make another import for another video.')
      return
    }
    const { scope } = call
    if (!isUnderWay(row)) throw invalid(`This import is ${row.status}, and can have no video any more.`)
    const video_id = await (wanted ? existing(tx, scope, wanted) : newVideo(tx, call, row))
    await expectFilm(tx, scope, video_id)
    await set(tx, scope, row, { video_id })
    await proceed(tx, scope, row._id, row.media_source_id)
  })
}
