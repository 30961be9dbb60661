import { type BodyOf, type Catalog, catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { couldNotSave, invalid, notFound } from '../../errors.js'
import { remove, type Scope } from '../../resources/store.js'
import { changeAdTimings } from '../ad-timings/change.js'
import { carryOut, type NestedChange } from '../nested-changes.js'
import { addSegment, changeSegment, checkStarts, type NewSegment } from '../segments/change.js'
import { holdZobjects, setZobjects } from '../zobjects/videos.js'
import { changeRelated } from './related.js'

type VideoFields = BodyOf<Catalog['videos']>

/** Fields of a video that are stored in other tables. */
export type AttachedFields = Pick<
  VideoFields,
  | 'segments'
  | 'segments_attributes'
  | 'ad_timings_attributes'
  | 'related_videos_attributes'
  | 'zobject_ids'
  | 'zobject_id'
>

/** Separates the columns of a video from the fields that are stored in other tables. */
export function splitAttached<B extends AttachedFields>(body: B) {
  const { segments, segments_attributes, ad_timings_attributes, related_videos_attributes, ...others } = body
  const { zobject_id, zobject_ids = zobject_id, ...fields } = others
  const attached = {
    ...{ segments, segments_attributes, ad_timings_attributes, related_videos_attributes },
    zobject_ids,
  }
  const hasAttached = Object.values(attached).some((value) => value !== undefined)
  return { fields, attached: hasAttached ? attached : undefined }
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
    await carryOut<SegmentChange>(changes ?? [], {
      create: (fields) => addSegment(tx, scope, required(fields), video.length),
      change: (id, fields) => changeSegment(tx, scope, id, fields, video.length),
      remove: async (id) => {
        if (!(await remove(tx, catalog.segments, scope, id))) throw notFound(catalog.segments.name)
      },
    })
  if (attached.segments || attached.segments_attributes) await checkStarts(tx, scope)
  if (attached.ad_timings_attributes) await changeAdTimings(tx, scope, attached.ad_timings_attributes)
  if (attached.related_videos_attributes) await changeRelated(tx, scope, attached.related_videos_attributes)
}

type SegmentChange = NestedChange &
  Pick<NonNullable<VideoFields['segments']>[number], 'description' | 'start' | 'end'>

function required({ description, start, ...others }: Omit<SegmentChange, keyof NestedChange>): NewSegment {
  if (!description) throw segmentNeeds('description')
  if (start == null) throw segmentNeeds('start')
  return { ...others, description, start }
}

function segmentNeeds(name: string) {
  const why = `${name} is required`
  return invalid(`Could not save video: a segment's ${why}.`, { segments_attributes: [why] })
}

/** Throws unless previews are other videos of the channel. Those already set may have been deleted since. */
export async function checkPreviews(
  tx: Db,
  { site_id }: Scope,
  { preview_ids }: Pick<VideoFields, 'preview_ids'>,
  id = '',
): Promise<void> {
  const wanted = [...new Set(preview_ids)]
  if (wanted.length === 0) return
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
