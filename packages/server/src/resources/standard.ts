import { type Operation, publishes } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { notFound } from '../errors.js'
import { reveal } from './columns.js'
import type { Answer, Call, Run } from './feature.js'
import { list, readRemoved } from './list.js'
import { project } from './projection.js'
import { find, insert, remove, update } from './store.js'

export const answer = (record: string): Answer => ({ json: `{"response":${record}}` })

function written(call: Call, record: string | undefined): Answer {
  if (!record) throw notFound(call.resource.name)
  return answer(reveal(call.resource, call.parts.sealer, record))
}

/** The five operations, for a resource whose features do not replace them. */
export const standard: Readonly<Record<Operation, Run>> = {
  list: (call) => list(call),

  async get({ parts, resource, principal, scope, id, query }) {
    const which = readRemoved(resource, query, publishes(principal.kind)) ? 'both' : 'present'
    const record = await find(parts.database.db, resource, scope, id, seesHidden(principal, resource), which)
    if (!record) throw notFound(resource.name)
    return answer(project(query, reveal(resource, parts.sealer, record)))
  },

  create: async (call) =>
    written(call, await insert(call.parts.database.db, call.resource, call.scope, call.body)),

  update: async (call) =>
    written(call, await update(call.parts.database.db, call.resource, call.scope, call.id, call.body)),

  async remove(call) {
    const { parts, resource, scope, id } = call
    if (!(await remove(parts.database.db, resource, scope, id))) throw notFound(resource.name)
    return undefined
  },
}
