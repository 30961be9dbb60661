import { notFound } from '../../errors.js'
import { applyFormats, applyPriority } from '../../jobs/apply-formats.job.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, update } from '../../resources/store.js'

/** Updates the formats, and queues a job that applies them to existing videos. */
export async function updateFormats({ parts, resource, scope, id, body }: Call) {
  const { database } = parts
  const record = await database.transaction(async (tx) => {
    await tx`select from formats where _id = ${id} for update`
    const before = await find(tx, resource, scope, id)
    const after = await update(tx, resource, scope, id, body)
    if (!before || !after) throw notFound(resource.name)
    if (isChanged(before, body)) {
      const [row] = await tx<{ revision: number }[]>`
        update formats set revision = revision + 1 where _id = ${id} returning revision
      `
      const walk = { site_id: id, revision: row?.revision ?? 0, after: '' }
      await enqueue(tx, applyFormats, walk, { key: `${id}:${walk.revision}`, priority: applyPriority })
    }
    return after
  })
  return answer(record)
}

function isChanged(before: string, body: Call['body']): boolean {
  const known = JSON.parse(before) as Record<string, unknown>
  return Object.entries(body).some(([name, value]) => known[name] !== value)
}
