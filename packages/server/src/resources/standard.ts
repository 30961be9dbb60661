import type { Operation } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { notFound } from '../errors.js'
import type { Answer, Call, Run } from './feature.js'
import { list } from './list.js'
import { project } from './projection.js'
import { find, insert, remove, update } from './store.js'

export const answer = (record: string): Answer => ({ json: `{"response":${record}}` })

/** What the five operations do for a resource that says nothing else. */
export const standard: Readonly<Record<Operation, Run>> = {
  list: (call) => list(call),

  async get({ parts, resource, principal, scope, id, query }) {
    const record = await find(
      parts.database.db,
      parts.sealer,
      resource,
      scope,
      id,
      seesHidden(principal, resource),
    )
    if (!record) throw notFound(resource.name)
    return answer(project(query, record))
  },

  async create({ parts, resource, scope, body }) {
    const record = await insert(parts.database.db, parts.sealer, resource, scope, body)
    parts.freshness.touch(scope.site_id, resource.plural)
    return answer(record)
  },

  async update({ parts, resource, scope, id, body }) {
    const record = await update(parts.database.db, parts.sealer, resource, scope, id, body)
    if (!record) throw notFound(resource.name)
    parts.freshness.touch(scope.site_id, resource.plural)
    return answer(record)
  },

  async remove({ parts, resource, scope, id }: Call) {
    if (!(await remove(parts.database.db, resource, scope, id))) throw notFound(resource.name)
    parts.freshness.touch(scope.site_id, resource.plural)
    return undefined
  },
}
