import { type BodyOf, type Catalog, catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { answer } from '../../resources/standard.js'
import { insert, remove, type Scope, update } from '../../resources/store.js'
import { checkNumber } from '../check-number.js'
import { carryOut } from '../nested-changes.js'
import { holdVideo } from '../subtitles/among-others.js'

const most = limits.ad_timings.value

/** Returns all ad timings on one page unless the request sets `per_page`. */
export const listAdTimings = (call: Call) =>
  list({ ...call, query: { ...call.query, per_page: call.query.per_page || String(most) } })

export async function createAdTiming({ parts, resource, scope, body }: Call) {
  const columns = columnsOf(body)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    await checkCount(tx, scope)
    await checkPlace(tx, scope, columns)
    return insert(tx, resource, scope, columns)
  })
  return answer(record)
}

export async function updateAdTiming({ parts, resource, scope, id, body }: Call) {
  const columns = columnsOf(body, true)
  const record = await parts.database.transaction(async (tx) => {
    await checkPlace(tx, scope, columns)
    return update(tx, resource, scope, id, columns)
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

interface Columns {
  readonly milliseconds?: number
  readonly duration_milliseconds?: number | null
  readonly ad_placement_id?: unknown
}

/** Returns the columns to store. Seconds become whole milliseconds. */
function columnsOf(body: Call['body'], isChange = false): Columns & Call['body'] {
  const { time, milliseconds = inMilliseconds(time), duration, ...others } = body
  const { duration_milliseconds = inMilliseconds(duration) } = body
  if (milliseconds == null && (milliseconds === null || !isChange))
    throw couldNotSave('ad timing', 'time', 'is required, in seconds; or milliseconds instead')
  return {
    ...others,
    ...(milliseconds === undefined ? {} : { milliseconds: Number(milliseconds) }),
    ...(duration_milliseconds === undefined ? {} : { duration_milliseconds }),
  } as Columns & Call['body']
}

const inMilliseconds = (seconds: unknown): unknown =>
  typeof seconds === 'number' ? Math.round(seconds * 1000) : seconds

/** Checks the limit. */
const checkCount = (tx: Db, scope: Scope) =>
  checkNumber(
    tx,
    'ad_timings',
    scope,
    most,
    `A data source has at most ${most} ad timings. Remove one first.`,
  )

/** Rejects a break after the end of the film, if its duration is known. */
export async function checkPlace(tx: Db, scope: Scope, { milliseconds }: Columns): Promise<void> {
  const { site_id, video_id = '', data_source_id = '' } = scope
  if (milliseconds === undefined) return
  const [source] = await tx<{ length: number | null }[]>`
    select ceil(duration * 1000) as length from data_sources
    where site_id = ${site_id} and video_id = ${video_id} and _id = ${data_source_id}
  `
  if (source?.length != null && milliseconds > source.length)
    throw couldNotSave(
      'ad timing',
      'time',
      `must be within the video, which is ${source.length / 1000} seconds long`,
    )
}

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
