import { type BodyOf, type Catalog, catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, notFound } from '../../errors.js'
import { insert, remove, type Scope, update } from '../../resources/store.js'
import { carryOut } from '../nested-changes.js'
import { checkCount, checkPlace, columnsOf } from './change.js'

const { ad_timings } = catalog

/** Changes the ad timings of a video. The caller opens the transaction and locks the video. */
export async function changeAdTimings(
  tx: Db,
  scope: Scope,
  changes: NonNullable<BodyOf<Catalog['videos']>['ad_timings_attributes']>,
): Promise<void> {
  await carryOut(changes, {
    async create(fields) {
      const columns = columnsOf(fields)
      const place = { ...scope, data_source_id: await playedSource(tx, scope) }
      await checkCount(tx, place)
      await checkPlace(tx, place, columns)
      await insert(tx, ad_timings, place, columns)
    },
    async change(id, fields) {
      const columns = columnsOf(fields, true)
      const place = { ...scope, data_source_id: await sourceOf(tx, scope, id) }
      await checkPlace(tx, place, columns)
      await update(tx, ad_timings, place, id, columns)
    },
    async remove(id) {
      if (!(await remove(tx, ad_timings, scope, id))) throw notFound(ad_timings.name)
    },
  })
}

/** Returns the data source that plays, which is the first one in the video's record. */
async function playedSource(tx: Db, { site_id, video_id = '' }: Scope): Promise<string> {
  const [video] = await tx<{ source_id: string | null }[]>`
    select data_sources -> 0 ->> '_id' as source_id from videos where site_id = ${site_id} and _id = ${video_id}
  `
  if (video?.source_id) return video.source_id
  const why = 'need a file that the video plays from. Upload one first'
  throw couldNotSave('video', 'ad_timings_attributes', why)
}

async function sourceOf(tx: Db, { site_id, video_id = '' }: Scope, id: string): Promise<string> {
  const [timing] = await tx<{ data_source_id: string }[]>`
    select data_source_id from ad_timings where site_id = ${site_id} and video_id = ${video_id} and _id = ${id}
  `
  if (!timing) throw notFound(ad_timings.name)
  return timing.data_source_id
}
