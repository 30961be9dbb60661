import { catalog, filtersByName, type Resource } from '@zoetrope/contract'
import { notFound } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Call, Run } from '../resources/feature.js'
import { belongs, isSeen } from '../resources/store.js'

/** The resource whose record a field of this name names. */
const named: Readonly<Record<string, Resource>> = {
  consumer_id: catalog.consumers,
  video_id: catalog.videos,
  playlist_id: catalog.playlists,
  plan_id: catalog.plans,
  video_source_id: catalog.video_sources,
  pass_plan_id: catalog.pass_plans,
}

/** What a body names must be there, in the channel. */
export async function checkReferences({ parts, scope, body }: Pick<Call, 'parts' | 'scope' | 'body'>) {
  const { db } = parts.database
  const site = { site_id: scope.site_id }
  for (const [name, resource] of Object.entries(named)) {
    const id = body[name]
    if (typeof id === 'string' && !(await isSeen(db, resource, site, id, true))) throw notFound(resource.name)
  }
}

/** A list that is asked for what belongs to a record finds that record first: another channel's is not there. */
export const withinKnown =
  (run: Run): Run =>
  async (call) => {
    const { parts, resource: listed, scope, query } = call
    for (const [name, resource] of Object.entries(named)) {
      const id = query[name]
      if (typeof id !== 'string' || id === '' || !filtersByName(listed).has(name)) continue
      const site = { site_id: scope.site_id }
      if (!isId(id) || !(await belongs(parts.database.db, resource, site, id))) throw notFound(resource.name)
    }
    return run(call)
  }
