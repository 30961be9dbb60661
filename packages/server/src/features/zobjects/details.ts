import { catalog, limits } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { raw } from '../../db/fragment.js'
import { invalidParameter } from '../../errors.js'
import { recordExpression } from '../../resources/columns.js'
import type { Call } from '../../resources/feature.js'
import { flagIn } from '../../resources/projection.js'
import { withinScope } from '../../resources/store.js'
import { deriving, ifAsked } from '../derived.js'
import { wholeZobject, type Zobject } from './custom.js'

const { zobjects } = catalog

interface ShownRecord {
  readonly _id: string
}

/** Finds the ids of the zobjects attached to records, by the id of the record. */
type FindAttached<Record extends ShownRecord> = (
  call: Call,
  shown: readonly Record[],
) => Promise<ReadonlyMap<string, readonly string[]>> | ReadonlyMap<string, readonly string[]>

/** With zobject_details=true, adds whole zobjects to records. */
export const withZobjectDetails = <Record extends ShownRecord>(
  shownAs: string,
  attached: FindAttached<Record>,
) =>
  ifAsked(
    ({ query }) => flagIn(query, 'zobject_details'),
    deriving<Record>(async (shown, call) => {
      const ids = await attached(call, shown)
      const details = await findZobjects(call, [...new Set([...ids.values()].flat())])
      return shown.map(({ _id }) => ({
        [shownAs]: (ids.get(_id) ?? []).flatMap((id) => details.get(id) ?? []),
      }))
    }),
  )

/** Returns the zobjects that the caller may see, of the requested types and with the requested fields, by id. */
async function findZobjects({ parts, principal, scope, query }: Call, ids: readonly string[]) {
  const seen = withinScope(zobjects, { site_id: scope.site_id }, seesHidden(principal, zobjects))
  const rows = await parts.database.db<{ json: string }[]>`
    select ${raw(recordExpression(zobjects))} as json from ${raw(zobjects.plural)}
    where ${seen} and _id = any(${ids}::text[])
  `
  const types = namesIn(query.zobject_types, 'zobject_types').map((name) => name.toLowerCase())
  const found = rows
    .map(({ json }) => JSON.parse(json) as Zobject)
    .filter(({ zobject_type }) => types.length === 0 || types.includes(String(zobject_type)))
  const shown = { response_fields: query.zobject_fields }
  return new Map(found.map((zobject) => [zobject._id, wholeZobject(zobject, shown)]))
}

/** Returns the distinct names in a parameter, which may be repeated or separated by commas. */
export function namesIn(given: unknown, parameter: string): readonly string[] {
  const names = [given ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const most = limits.filter_values.value
  if (names.length > most) throw invalidParameter(parameter, `takes at most ${most} values`)
  return [...new Set(names)]
}
