import { violation } from '../../db/violation.js'
import { invalid } from '../../errors.js'
import { slug } from '../../lib/slug.js'
import type { Call } from '../../resources/feature.js'
import { standard } from '../../resources/standard.js'

/** Like any creation, except that it gets a friendly title, and each value once. */
export async function createCategory(call: Call) {
  const { friendly_title = slug(String(call.body.title)), ...body } = withoutRepeats(call.body)
  return standard.create({ ...call, body: { ...body, friendly_title } }).catch(refuseTitle)
}

export const withoutRepeats = (body: Call['body']): Call['body'] =>
  Array.isArray(body.values) ? { ...body, values: [...new Set(body.values)] } : body

/** Videos name their categories by title, so there is one of each. */
export function refuseTitle(error: unknown): never {
  if (violation(error) !== 'unique') throw error
  throw invalid('Could not save category: another one has this title.', { title: ['is taken'] })
}
