import type { BodyOf, Catalog } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { invalid } from '../errors.js'
import { formatNames } from '../media/formats.js'
import { readSource } from '../media-segments/find-source.js'
import type { Source } from '../media-segments/source-plan.js'
import { enqueueFill } from './film-jobs.js'
import { noteProgress } from './renditions.js'

export type FormatFields = Pick<BodyOf<Catalog['videos']>, 'formats'>

/** Reads the formats of a video in these fields as booleans; a form sends them as text. */
export function withFormats<B extends FormatFields>(body: B): B {
  const { formats }: FormatFields = body
  if (formats === undefined) return body
  const pairs = Object.entries(formats)
  const whys = [
    ...pairs
      .filter(([name]) => !(formatNames as readonly string[]).includes(name))
      .map(([name]) => `has no format ${name.slice(0, 40)}; there are ${formatNames.join(', ')}`),
    ...pairs
      .filter(([, value]) => flagOf(value) === undefined)
      .map(([name]) => `${name.slice(0, 40)} must be true or false`),
  ]
  if (whys.length > 0)
    throw invalid(`Could not save video: ${whys.map((why) => `formats ${why}`).join(', ')}.`, {
      formats: whys,
    })
  return { ...body, formats: Object.fromEntries(pairs.map(([name, value]) => [name, flagOf(value)])) }
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** After formats may have been turned on or off: updates the video's record, and has made what it lacks. */
export async function followFormats(tx: Db, source: Source): Promise<void> {
  const { isUnfinished } = await noteProgress(tx, source)
  if (isUnfinished) await enqueueFill(tx, { site_id: source.site_id, source_id: source._id })
}

/** The same for a video, which may have no film yet. */
export async function followFormatsOf(tx: Db, site_id: string, video_id: string): Promise<void> {
  const [video] = await tx<{ media_source_id: string | null }[]>`
    select media_source_id from videos where site_id = ${site_id} and _id = ${video_id}
  `
  const source = video?.media_source_id ? await readSource(tx, site_id, video.media_source_id) : undefined
  if (source) await followFormats(tx, source)
}
