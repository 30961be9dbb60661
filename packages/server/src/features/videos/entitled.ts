import { publishes } from '@zoetrope/contract'
import { watcherOf } from '../../auth/access.js'
import { run, sql } from '../../db/fragment.js'
import { invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { withinScope } from '../../resources/store.js'
import { type Entitlements, entitlementsColumn, refusalOf } from './may-watch.js'

/** Returns 200 if the consumer may watch, and an error otherwise. Apps check only the status code. */
export async function entitled({ parts, resource, principal, scope, id }: Call) {
  const isPublisher = publishes(principal.kind)
  const [video] = await run<{ record: string; entitlements: Entitlements | null }>(
    parts.database.db,
    sql`
    select record, ${entitlementsColumn(watcherOf(principal))} as entitlements from videos
    where ${withinScope(resource, scope, isPublisher)} and _id = ${id}
  `,
  )
  if (!video) throw notFound(resource.name)
  const refusal = isPublisher
    ? undefined
    : refusalOf(JSON.parse(video.record), video.entitlements ?? undefined)
  if (refusal) throw invalid(refusal.message)
  return { json: JSON.stringify({ message: 'This video may be watched.' }) }
}
