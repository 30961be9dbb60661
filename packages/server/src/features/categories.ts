import type { Db } from '../db/database.js'
import { violatedIndex, violation } from '../db/violation.js'
import { invalid, notFound } from '../errors.js'
import { followCategory, followInBatches } from '../jobs/follow-category.job.js'
import { relateBelow } from '../jobs/relate-videos.job.js'
import { newId } from '../lib/object-id.js'
import { enqueue } from '../queue/enqueue.js'
import type { Call } from '../resources/feature.js'
import { answer } from '../resources/standard.js'
import { insertNamed, remove, type Scope, update } from '../resources/store.js'
import { lockTree } from './playlists/place.js'

/** Creates a category with a unique friendly title and without duplicate values. */
export async function createCategory({ parts, resource, scope, body }: Call) {
  const { database } = parts
  const row = { ...withoutRepeats(body), _id: newId() }
  const record = await insertNamed(database.db, resource, scope, row).catch(refuseTitle)
  return answer(record)
}

const withoutRepeats = (body: Call['body']): Call['body'] =>
  Array.isArray(body.values) ? { ...body, values: [...new Set(body.values)] } : body

/** Titles are unique, because videos refer to categories by title. */
function refuseTitle(error: unknown): never {
  if (violation(error) !== 'unique' || violatedIndex(error) === 'categories_by_friendly_title') throw error
  throw invalid('Could not save category: another one has this title.', { title: ['is taken'] })
}

interface KnownCategory {
  readonly title: string
  readonly values: readonly string[]
  readonly renamed: Readonly<Record<string, string>>
}

/** Updates a category. New titles and renamed or removed values also reach the records that have the category. */
export async function updateCategory({ parts, resource, scope, id, body: given }: Call) {
  const { database } = parts
  const body = withoutRepeats(given)
  const record = await database
    .transaction(async (tx) => {
      await lockTree(tx, scope)
      const before = await lock(tx, scope, id)
      if (!before) throw notFound(resource.name)
      const values = (body.values ?? before.values) as readonly string[]
      const renamed = renamedBy(before, values)
      const changed = await update(tx, resource, scope, id, { ...body, renamed })
      const isTold = (body.title ?? before.title) !== before.title || values !== before.values
      if (isTold) await follow(tx, scope, id)
      return changed
    })
    .catch(refuseTitle)
  return answer(record ?? '{}')
}

/** Deletes a category, and removes it from all records that have it. */
export async function removeCategory({ parts, resource, scope, id }: Call) {
  await parts.database.transaction(async (tx) => {
    await lockTree(tx, scope)
    if (!(await remove(tx, resource, scope, id))) throw notFound(resource.name)
    await follow(tx, scope, id)
  })
  return undefined
}

async function lock(tx: Db, { site_id }: Scope, id: string): Promise<KnownCategory | undefined> {
  const [row] = await tx<KnownCategory[]>`
    select title, values, renamed from categories where site_id = ${site_id} and _id = ${id} for update
  `
  return row
}

/**
 * Updates the first batch of videos at once and the rest in a job. Then updates playlists filled by this category in
 * the same way, because their videos may change.
 */
async function follow(tx: Db, { site_id }: Scope, category_id: string): Promise<void> {
  const ruled = await tx<{ _id: string }[]>`
    select _id from playlists where site_id = ${site_id} and filled_by is not null
      and categories @> jsonb_build_array(jsonb_build_object('category_id', ${category_id}::text))
  `
  const last = await followInBatches(tx, site_id, category_id, '')
  if (last) await enqueue(tx, followCategory, { site_id, category_id, after: last })
  for (const { _id } of ruled) await relateBelow(tx, site_id, _id)
}

/** Maps former values to their present names, over this change and earlier ones. */
function renamedBy(
  { values: old, renamed }: KnownCategory,
  values: readonly string[],
): Record<string, string> {
  const now = old.map((value, place): [string, string | undefined] => [value, values[place]])
  const placed = now.filter(([value, other]) => !values.includes(value) && other && !old.includes(other))
  const next = new Map(placed as [string, string][])
  const earlier = Object.entries(renamed).map(([value, other]) => [value, next.get(other) ?? other] as const)
  const all = [...earlier, ...next].filter(
    ([value, other]) => !values.includes(value) && values.includes(other),
  )
  return Object.fromEntries(all)
}
