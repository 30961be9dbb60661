import { type BodyOf, type Catalog, catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { insert, remove, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkNumber } from '../check-number.js'

const { segments, videos } = catalog
const most = limits.segments.value

export type NewSegment = BodyOf<Catalog['segments'], 'create'>

interface Span {
  readonly start: number
  readonly end?: number | null
}

export const createSegment = (call: CallOf<'segments', 'create'>) =>
  inVideo(call, async (tx, length) => {
    const { scope, body } = call
    const record = await addSegment(tx, scope, body, length)
    await checkStarts(tx, scope)
    return answer(record)
  })

export const updateSegment = (call: CallOf<'segments', 'update'>) =>
  inVideo(call, async (tx, length) => {
    const { scope, id, body } = call
    const record = await changeSegment(tx, scope, id, body, length)
    await checkStarts(tx, scope)
    return answer(record)
  })

/** Adds a segment to a video that the caller has locked. */
export async function addSegment(
  tx: Db,
  scope: Scope,
  body: NewSegment,
  length: number | null,
): Promise<string> {
  await checkNumber(tx, 'segments', scope, most, `A video has at most ${most} segments. Remove one first.`)
  checkSpan(body, length)
  return insert(tx, segments, scope, body)
}

/** Changes a segment of a video that the caller has locked. */
export async function changeSegment(
  tx: Db,
  scope: Scope,
  id: string,
  body: { readonly [K in keyof NewSegment]?: NewSegment[K] | null },
  length: number | null,
): Promise<string> {
  const [now] = await tx<Span[]>`
    select start, "end" from segments
    where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id}
  `
  if (!now) throw notFound(segments.name)
  checkSpan({ ...now, ...body, start: body.start ?? now.start }, length)
  return (await update(tx, segments, scope, id, body)) ?? ''
}

/** Throws if two segments begin in the same second: players show one of them only. Call it after all changes of a request. */
export async function checkStarts(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const [taken] = await tx<{ second: number; names: string[] }[]>`
    select start / 1000 as second, array_agg(description order by start, _id) as names from segments
    where site_id = ${site_id} and video_id = ${video_id} group by 1 having count(*) > 1 order by 1 limit 1
  `
  if (!taken) return
  const [first = '', second = ''] = taken.names.map((name) => JSON.stringify(name.slice(0, 60)))
  const time = `${Math.floor(taken.second / 60)}:${String(taken.second % 60).padStart(2, '0')}`
  const why = `must differ by a second or more: ${first} and ${second} both begin at ${time}`
  throw couldNotSave('segment', 'start', why)
}

export const removeSegment = (call: Call) =>
  inVideo(call, async (tx) => {
    if (!(await remove(tx, call.resource, call.scope, call.id))) throw notFound(call.resource.name)
    return undefined
  })

/** Locks a video and changes its segments. `length` is that of the film in milliseconds, if known. */
function inVideo(
  { parts, scope }: Call,
  change: (tx: Db, length: number | null) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  return parts.database.transaction(async (tx) => {
    const [video] = await tx<{ length: number | null }[]>`
      select ceil(precise_duration * 1000) as length from videos
      where site_id = ${scope.site_id} and _id = ${scope.video_id ?? ''} and deleted_at is null
      for no key update
    `
    if (!video) throw notFound(videos.name)
    return change(tx, video.length)
  })
}

function checkSpan({ start, end }: Span, length: number | null): void {
  if (end != null && end <= start) throw couldNotSave('segment', 'end', 'must be after start')
  if (length === null) return
  if (start >= length)
    throw couldNotSave('segment', 'start', `must be within the video, which is ${length} milliseconds long`)
  if (end != null && end > length)
    throw couldNotSave('segment', 'end', `must be within the video, which is ${length} milliseconds long`)
}
