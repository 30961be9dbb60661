import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, invalid, notFound } from '../../errors.js'
import type { Body } from '../../resources/feature.js'
import { remove, type Scope } from '../../resources/store.js'
import { changeAdTimings } from '../ad-timings/attributes.js'
import { carryOut } from '../nested-changes.js'
import { addSegment, changeSegment } from '../segments/change.js'
import { holdZobjects, setZobjects } from '../zobjects/videos.js'
import { changeRelated } from './related.js'

/** Fields of a video that are stored in other tables. */
export interface AttachedFields {
  readonly segments?: unknown
  readonly segments_attributes?: unknown
  readonly ad_timings_attributes?: unknown
  readonly related_videos_attributes?: unknown
  readonly zobject_ids?: readonly string[]
}

const names = [
  ...['segments', 'segments_attributes', 'ad_timings_attributes', 'related_videos_attributes'],
  ...['zobject_ids', 'zobject_id'],
]

/** Separates the columns of a video from the fields that are stored in other tables. */
export function splitAttached(body: Body): {
  readonly fields: Body
  readonly attached: AttachedFields | undefined
} {
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
  if (Object.keys(fields).length === Object.keys(body).length) return { fields, attached: undefined }
  const { zobject_id, zobject_ids = zobject_id, ...attached } = body
  return { fields, attached: { ...attached, ...(zobject_ids ? { zobject_ids } : {}) } as AttachedFields }
}

/** Locks the zobjects. To avoid deadlocks, zobjects are always locked before videos. */
export async function holdFirst(tx: Db, { site_id }: Scope, attached: AttachedFields | undefined, id = '') {
  if (attached?.zobject_ids) await holdZobjects(tx, site_id, attached.zobject_ids, id)
}

/** Writes the attached fields of a video, in the caller's transaction. */
export async function applyAttached(
  tx: Db,
  { site_id }: Scope,
  video_id: string,
  attached: AttachedFields,
): Promise<void> {
  const scope = { site_id, video_id }
  const [video] = await tx<{ length: number | null }[]>`
    select ceil(precise_duration * 1000) as length from videos where site_id = ${site_id} and _id = ${video_id} and deleted_at is null for no key update
  `
  if (!video) throw notFound(catalog.videos.name)
  if (attached.zobject_ids) await setZobjects(tx, site_id, attached.zobject_ids, video_id)
  for (const changes of [attached.segments, attached.segments_attributes])
    await carryOut(changes, {
      create: (fields) => addSegment(tx, scope, required(fields), video.length),
      change: (id, fields) => changeSegment(tx, scope, id, fields, video.length),
      remove: async (id) => {
        if (!(await remove(tx, catalog.segments, scope, id))) throw notFound(catalog.segments.name)
      },
    })
  if (attached.ad_timings_attributes) await changeAdTimings(tx, scope, attached.ad_timings_attributes)
  if (attached.related_videos_attributes) await changeRelated(tx, scope, attached.related_videos_attributes)
}

function required(segment: Body): Body {
  for (const name of ['description', 'start'])
    if (segment[name] == null || segment[name] === '') {
      const why = `${name} is required`
      throw invalid(`Could not save video: a segment's ${why}.`, { segments_attributes: [why] })
    }
  return segment
}

/** Throws unless previews are other videos of the channel. Those already set may have been deleted since. */
export async function checkPreviews(
  tx: Db,
  { site_id }: Scope,
  { preview_ids }: Body,
  id = '',
): Promise<void> {
  if (!Array.isArray(preview_ids) || preview_ids.length === 0) return
  const wanted = [...new Set(preview_ids as string[])]
  if (wanted.includes(id)) {
    const why = 'must name other videos'
    throw couldNotSave('video', 'preview_ids', why)
  }
  const [missing] = await tx`
    select from unnest(${wanted}::text[]) as preview where not exists (
      select from videos where site_id = ${site_id} and _id = preview and deleted_at is null
    ) and not exists (
      select from videos where site_id = ${site_id} and _id = ${id} and preview_ids @> array[preview]
    )
  `
  if (missing) throw notFound(catalog.videos.name)
}
