import { hidingChoice, hidingField, type Resource } from '@zoetrope/contract'
import { type Fragment, raw, sql } from '../db/fragment.js'
import { forbidden, invalidParameter } from '../errors.js'
import { readFlag } from '../lib/read-scalar.js'

/** Which records a list includes: active, inactive, all, or those that viewers see. */
export type ActiveFilter = boolean | 'all' | 'seen'

/** Lists show active records unless the admin key asks for others. */
export function readShown(
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
  mayChoose: boolean,
): ActiveFilter {
  const hides = hidingField(resource)
  if (!hides) return 'all'
  const given = query[hides]
  const usual = mayChoose ? true : 'seen'
  if (given === undefined || given === '') return usual
  const shown = given === 'all' ? 'all' : readFlag(String(given))
  if (shown === undefined) throw invalidParameter(hides, 'must be true, false or all')
  if (shown !== true && !mayChoose)
    throw forbidden(`Only the admin key may list ${resource.plural} that are not active.`)
  return shown === true ? usual : shown
}

/** Matches records that a choice hides from viewers. */
export function hiddenBy(resource: Resource): Fragment | undefined {
  const name = hidingChoice(resource)
  // No parameter, so that a partial index can be used.
  return name === undefined ? undefined : raw(`("${name}" = '${resource.fields[name]?.hides}')`)
}

/** Limits a condition to the records that viewers see. */
export function seenOnly(resource: Resource): Fragment {
  const flag = hidingField(resource)
  const hidden = hiddenBy(resource)
  const others = hidden ? sql`and not ${hidden}` : sql``
  return flag === undefined ? others : sql`and ${raw(`"${flag}"`)} ${others}`
}

/**
 * Limits a condition to records without these ids: an index that has no other column is enough to tell them apart. PostgreSQL
 * expects that `not in` excludes half of all records, and that a comparison with a number excludes few.
 */
export const notAmong = (ids: Fragment): Fragment => sql`and (_id in (${ids}))::integer <> 1`
