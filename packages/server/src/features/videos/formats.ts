import type { Db } from '../../db/database.js'
import { fillAll } from '../../jobs/fill.job.js'
import { noteProgress } from '../../jobs/renditions.js'
import { findSource } from '../../media-segments/source-plan.js'

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
