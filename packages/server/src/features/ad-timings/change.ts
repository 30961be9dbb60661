import { catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { answer } from '../../resources/standard.js'
import { insert, type Scope, update } from '../../resources/store.js'

const most = limits.ad_timings.value

/** Returns all ad timings on one page unless the request sets `per_page`. */
export const listAdTimings = (call: Call) =>
  list({ ...call, query: { ...call.query, per_page: call.query.per_page || String(most) } })

export async function createAdTiming({ parts, resource, scope, body }: Call) {
  const columns = columnsOf(body)
  const record = await parts.database.transaction(async (tx) => {
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
export function columnsOf(body: Call['body'], isChange = false): Columns & Call['body'] {
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

/** Checks the limit. Locks the video, so that concurrent requests cannot exceed it. */
export async function checkCount(tx: Db, scope: Scope): Promise<void> {
  const { site_id, video_id = '', data_source_id = '' } = scope
  const [video] = await tx`
    select from videos where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for no key update
  `
  if (!video) throw notFound(catalog.videos.name)
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from ad_timings
    where site_id = ${site_id} and video_id = ${video_id} and data_source_id = ${data_source_id}
  `
  if ((row?.count ?? 0) >= most)
    throw invalid(`A data source has at most ${most} ad timings. Remove one first.`)
}

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
