import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { raw, run, sql } from '../../db/fragment.js'
import type { Call } from '../../resources/feature.js'
import { withinScope } from '../../resources/store.js'

const { videos } = catalog

/** Returns the records of those videos that the caller may see now, by id. */
export async function findVideos(
  { parts, principal, scope }: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  // Apply due switches first. A run in progress may have started before the newest was due, hence two rounds.
  for (let round = 0; round < 2 && parts.freshness.due(); round += 1) await parts.freshness.settle()
  const seen = withinScope(videos, { site_id: scope.site_id }, seesHidden(principal, videos))
  const rows = await run<{ _id: string; record: string }>(
    parts.database.db,
    sql`select _id, record from ${raw(videos.plural)} where ${seen} and _id = any(${ids}::text[])`,
  )
  return new Map(rows.map(({ _id, record }) => [_id, JSON.parse(record)]))
}
