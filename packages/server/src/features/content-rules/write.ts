import { limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { raw } from '../../db/fragment.js'
import { couldNotSave, invalid, notFound } from '../../errors.js'
import { countryOf } from '../../lib/countries.js'
import { newId } from '../../lib/object-id.js'
import { quoted } from '../../resources/columns.js'
import { answer } from '../../resources/standard.js'
import { insert, type Scope, update, type Values } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkDevices } from '../references.js'

/** Rules of videos, playlists and categories have the same fields. */
type NewRule = CallOf<'video_content_rules', 'create'>
type ChangedRule = CallOf<'video_content_rules', 'update'>

/** Creates a rule. Normalizes its countries, and checks its devices and the limit. */
export async function createRule({ parts, resource, scope, body }: NewRule) {
  const record = await parts.database.transaction(async (tx) => {
    await checkDevices(tx, scope, body)
    const rule = checked(body)
    await checkCount(tx, resource.plural, resource.within?.name ?? '', scope)
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

/** Checks the limit. The lock keeps concurrent requests from exceeding it. */
async function checkCount(
  tx: Db,
  table: string,
  parent: string,
  { site_id, ...within }: Scope,
): Promise<void> {
  const id = within[`${parent}_id`] ?? ''
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${table} ${id}`}, 0))`
  const [row] = await tx<{ count: number }[]>`select count(*)::integer as count from ${raw(quoted(table))}
      where site_id = ${site_id} and ${raw(quoted(`${parent}_id`))} = ${id}`
  const most = limits.content_rules.value
  if ((row?.count ?? 0) >= most)
    throw invalid(`A ${parent} has at most ${most} content rules. Remove one first.`)
}
