import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import type { Body } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'
import { updateVideo } from './update.js'

interface VersionCategory {
  readonly _id: string
  readonly category_id: string
  readonly value: readonly string[]
}

interface Segment {
  readonly _id: string
  readonly description: string
  readonly start: number
  readonly end: number | null
}

/** The current state that decides how an older version can be restored. */
interface Present {
  readonly _id: string
  readonly categories: readonly VersionCategory[]
  readonly segments: readonly Segment[]
  readonly length: number | null
}

/** The body of an update that restores these values of a video, without references to deleted records. */
export async function fieldsToRestore(db: Db, site_id: string, id: string, past: Body): Promise<Body> {
  const [present] = await db<Present[]>`
    select _id, categories, segments, ceil(precise_duration * 1000) as length from videos
    where site_id = ${site_id} and _id = ${id} and deleted_at is null
  `
  if (!present) throw notFound(catalog.videos.name)
  return asUpdate(db, site_id, present, past)
}

/** Restores the state of a video after one of its versions, as an ordinary update. */
export async function restoreVersion(call: CallOf<'videos', 'restore_version'>) {
  const { parts, scope, id, body } = call
  const { db } = parts.database
  const { site_id } = scope
  const [present] = await db`
    select from videos where site_id = ${site_id} and _id = ${id} and deleted_at is null
  `
  if (!present) throw notFound(catalog.videos.name)
  const [version] = await db`
    select from video_versions where site_id = ${site_id} and video_id = ${id} and number = ${body.number}
  `
  if (!version) throw notFound(catalog.video_versions.name)
  const past = await valuesAfter(db, site_id, id, body.number)
  return updateVideo({ ...call, body: await fieldsToRestore(db, site_id, id, past) })
}

/** Returns the fields changed since a version, each with its value before the first of these changes. */
async function valuesAfter(db: Db, site_id: string, video_id: string, number: number): Promise<Body> {
  const rows = await db<{ field: string; value: unknown }[]>`
    select distinct on (field) field, before -> field as value
    from video_versions, unnest(fields) as field
    where site_id = ${site_id} and video_id = ${video_id} and number > ${number} and field <> 'deleted_at'
    order by field, number
  `
  return Object.fromEntries(rows.map(({ field, value }) => [field, value]))
}

async function asUpdate(db: Db, site_id: string, present: Present, past: Body): Promise<Body> {
  const { categories, segments, ...others } = past
  const fields: Record<string, unknown> = await stillThere(db, site_id, others)
  if (fields.friendly_title && (await isTaken(db, site_id, present._id, String(fields.friendly_title))))
    delete fields.friendly_title
  if (categories)
    fields.categories_attributes = await categoryChanges(
      db,
      site_id,
      present,
      categories as readonly VersionCategory[],
    )
  if (segments) fields.segments = segmentChanges(present, segments as readonly Segment[])
  return fields
}

/** Returns whether another video has this friendly title now. */
async function isTaken(db: Db, site_id: string, _id: string, title: string): Promise<boolean> {
  const rows = await db`
    select from videos
    where site_id = ${site_id} and friendly_title = ${title} and deleted_at is null and _id <> ${_id}
  `
  return rows.length > 0
}

/** Drops references to records that no longer exist. */
async function stillThere(db: Db, site_id: string, past: Body): Promise<Record<string, unknown>> {
  const { content_rule_profile_id: profile, ...fields } = past as Record<string, unknown>
  const among = (rows: readonly { _id: string }[], ids: readonly string[]) =>
    ids.filter((id) => rows.some(({ _id }) => _id === id))
  if (fields.preview_ids) {
    const ids = fields.preview_ids as string[]
    fields.preview_ids = among(
      await db`select _id from videos where site_id = ${site_id} and _id = any(${ids}) and deleted_at is null`,
      ids,
    )
  }
  if (fields.zobject_ids) {
    const ids = fields.zobject_ids as string[]
    fields.zobject_ids = among(
      await db`select _id from zobjects where site_id = ${site_id} and _id = any(${ids})`,
      ids,
    )
  }
  if (profile === undefined) return fields
  const [there] = await db`
    select from content_rule_profiles where site_id = ${site_id} and _id = ${profile as string}
  `
  // If the profile was deleted, keep the current one, so that nothing becomes accessible by accident.
  return profile === null || there ? { ...fields, content_rule_profile_id: profile } : fields
}

async function categoryChanges(
  db: Db,
  site_id: string,
  { categories }: Present,
  past: readonly VersionCategory[],
): Promise<readonly Body[]> {
  const ids = past.map(({ category_id }) => category_id)
  const known = await db<{ _id: string; values: string[] }[]>`
    select _id, values from categories where site_id = ${site_id} and _id = any(${ids})
  `
  const kept = past.flatMap(({ category_id, value }) => {
    const category = known.find(({ _id }) => _id === category_id)
    return category ? [{ category_id, value: value.filter((each) => category.values.includes(each)) }] : []
  })
  const gone = categories.filter(({ category_id }) => !kept.some((each) => each.category_id === category_id))
  return [...gone.map(({ _id }) => ({ id: _id, _destroy: true })), ...kept]
}

/** Returns the changes to segments. Drops or shortens those beyond the end of the film. */
function segmentChanges({ segments, length }: Present, past: readonly Segment[]): readonly Body[] {
  const fitting = past
    .filter(({ start }) => length === null || start < length)
    .map((segment) => ({
      ...segment,
      end: segment.end !== null && length !== null ? Math.min(segment.end, length) : segment.end,
    }))
  const isIn = (list: readonly Segment[], id: string) => list.some(({ _id }) => _id === id)
  const gone = segments.filter(({ _id }) => !isIn(fitting, _id))
  return [
    ...gone.map(({ _id }) => ({ id: _id, _destroy: true })),
    ...fitting.map(({ _id, ...fields }) => (isIn(segments, _id) ? { id: _id, ...fields } : fields)),
  ]
}
