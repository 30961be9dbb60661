import { limits } from '@zoetrope/contract'
import { couldNotSave, notFound } from '../../errors.js'
import { countryOf } from '../../lib/countries.js'
import { newId } from '../../lib/object-id.js'
import { answer } from '../../resources/standard.js'
import { insert, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkNumber } from '../check-number.js'
import { checkDevices } from '../references.js'

const most = limits.content_rules.value

/** Rules of videos, playlists and categories have the same fields. */
type NewRule = CallOf<'video_content_rules', 'create'>
type ChangedRule = CallOf<'video_content_rules', 'update'>

/** Creates a rule. Normalizes its countries, and checks its devices and the limit. */
export async function createRule({ parts, resource, scope, body }: NewRule) {
  const record = await parts.database.transaction(async (tx) => {
    await checkDevices(tx, scope, body)
    const rule = checked(body)
    const full = `A ${resource.within?.name} has at most ${most} content rules. Remove one first.`
    await checkNumber(tx, resource.plural, scope, most, full)
    return insert(tx, resource, scope, rule)
  })
  return answer(record)
}

export async function updateRule({ parts, resource, scope, id, body }: ChangedRule) {
  const record = await parts.database.transaction(async (tx) => {
    await checkDevices(tx, scope, body)
    const changed = await update(tx, resource, scope, id, checked(body))
    if (changed) checkSpan(JSON.parse(changed))
    return changed
  })
  if (!record) throw notFound(resource.name)
  return answer(record)
}

function checked(body: ChangedRule['body']): Values {
  checkSpan(body)
  if (body.geographies === undefined) return body
  const geographies = body.geographies.map(({ countries = [] }) => ({
    _id: newId(),
    countries: countriesIn('geographies', countries),
  }))
  return { ...body, geographies }
}

/** Returns two-letter codes without duplicates. */
export function countriesIn(field: string, given: readonly string[]): readonly string[] {
  if (given.length === 0) throw couldNotSave('content rule', field, 'must name at least one of the countries')
  const strange = given.filter((code) => !countryOf(code))
  if (strange.length > 0)
    throw couldNotSave(
      'content rule',
      field,
      `must name countries by codes such as DE or DEU: ${strange.slice(0, 5).join(', ')} is none`,
    )
  return [...new Set(given.map((code) => countryOf(code)?.code2 ?? ''))]
}

function checkSpan({ starts_at, ends_at }: Pick<ChangedRule['body'], 'starts_at' | 'ends_at'>): void {
  if (starts_at && ends_at && !(new Date(starts_at) < new Date(ends_at)))
    throw couldNotSave('content rule', 'ends_at', 'must be after starts_at')
}
