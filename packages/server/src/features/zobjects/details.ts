import { catalog, limits } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { raw } from '../../db/fragment.js'
import { invalid } from '../../errors.js'
import { readFlag } from '../../lib/read-scalar.js'
import { recordExpression } from '../../resources/columns.js'
import type { Answer, Call, Run } from '../../resources/feature.js'
import { project } from '../../resources/projection.js'
import { withinScope } from '../../resources/store.js'
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

/** With zobject_details=true, adds whole zobjects to records. Otherwise costs nothing. */
export const withZobjectDetails =
  <Record extends ShownRecord>(shownAs: string, attached: FindAttached<Record>) =>
  (run: Run): Run =>
  async (call: Call) =>
    readFlag(String(call.query.zobject_details ?? '')) === true
      ? addDetails(run, call, shownAs, attached)
      : run(call)

async function addDetails<Record extends ShownRecord>(
  run: Run,
  call: Call,
  shownAs: string,
  attached: FindAttached<Record>,
): Promise<Answer | undefined> {
  const { response_fields, ...query } = call.query
  const answer = await run({ ...call, query })
  if (!answer) return undefined
  const { response, ...rest } = JSON.parse(answer.json.toString()) as { response: Record | Record[] }
  const ids = await attached(call, [response].flat() as Record[])
  const details = await findZobjects(call, [...new Set([...ids.values()].flat())])
  const complete = (record: Record) => {
    const whole = (ids.get(record._id) ?? []).flatMap((id) => details.get(id) ?? [])
    return JSON.parse(project({ response_fields }, JSON.stringify({ ...record, [shownAs]: whole }))) as object
  }
  const completed = Array.isArray(response) ? response.map(complete) : complete(response)
  return { json: JSON.stringify({ response: completed, ...rest }) }
}

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
  if (names.length > most) {
    const why = `takes at most ${most} values`
    throw invalid(`${parameter} ${why}.`, { [parameter]: [why] })
  }
  return [...new Set(names)]
}
