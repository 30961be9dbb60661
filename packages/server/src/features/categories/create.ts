import { violatedIndex, violation } from '../../db/violation.js'
import { invalid } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import type { Call } from '../../resources/feature.js'
import { insertNamed } from '../../resources/named.js'
import { answer } from '../../resources/standard.js'

/** Creates a category with a unique friendly title and without duplicate values. */
export async function createCategory({ parts, resource, scope, body }: Call) {
  const { database } = parts
  const row = { ...withoutRepeats(body), _id: newId() }
  const record = await insertNamed(database.db, resource, scope, row).catch(refuseTitle)
  return answer(record)
}

export const withoutRepeats = (body: Call['body']): Call['body'] =>
  Array.isArray(body.values) ? { ...body, values: [...new Set(body.values)] } : body

/** Titles are unique, because videos refer to categories by title. */
export function refuseTitle(error: unknown): never {
  if (violation(error) !== 'unique' || violatedIndex(error) === 'categories_by_friendly_title') throw error
  throw invalid('Could not save category: another one has this title.', { title: ['is taken'] })
}
