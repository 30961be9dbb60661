import type { Db } from '../../db/database.js'
import { invalid } from '../../errors.js'
import { fillAll } from '../../jobs/fill.job.js'
import { noteProgress } from '../../jobs/renditions.js'
import { formatNames } from '../../media/formats.js'
import { findSource } from '../../media-segments/source-plan.js'
import type { Call } from '../../resources/feature.js'

/** The fields of a video as they are kept: its own formats as flags, also where a form sent words. */
export function withFormats(body: Call['body']): Call['body'] {
  const { formats } = body
  if (formats === undefined) return body
  const pairs = Object.entries(formats as Record<string, unknown>)
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

/** What a video has by now, after its formats may have changed: its record says so, and what it lacks is made. */
export async function applyOwnFormats(tx: Db, site_id: string, video_id: string): Promise<void> {
  const [video] = await tx<{ media_source_id: string | null }[]>`
    select media_source_id from videos where site_id = ${site_id} and _id = ${video_id}
  `
  const source_id = video?.media_source_id
  const source = source_id ? await findSource(tx, site_id, source_id) : undefined
  if (!source || !source_id) return
  const { isUnfinished } = await noteProgress(tx, source)
  if (isUnfinished) await fillAll(tx, site_id, source_id)
}
