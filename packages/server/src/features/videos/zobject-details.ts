import { catalog } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import { raw, run as runSql, sql } from '../../db/fragment.js'
import { recordExpression } from '../../resources/columns.js'
import type { Answer, Call, Run } from '../../resources/feature.js'
import { readFlag } from '../../resources/filters.js'
import { project } from '../../resources/projection.js'
import { withinScope } from '../../resources/store.js'
import { wholeZobject, type Zobject } from '../zobjects/custom.js'

const { zobjects } = catalog

interface Video {
  readonly zobject_ids: readonly string[]
}

/** With zobject_details=true, videos show the whole of their zobjects. Without it this costs nothing. */
export const withZobjectDetails =
  (run: Run): Run =>
  async (call: Call) =>
    readFlag(String(call.query.zobject_details ?? '')) === true ? addDetails(run, call) : run(call)

async function addDetails(run: Run, call: Call): Promise<Answer | undefined> {
  const { response_fields, ...query } = call.query
  const answer = await run({ ...call, query })
  if (!answer) return undefined
  const { response, ...rest } = JSON.parse(answer.json.toString()) as { response: Video | Video[] }
  const details = await findZobjects(call, [response].flat())
  const complete = (video: Video) => {
    const video_zobjects = video.zobject_ids.flatMap((id) => details.get(id) ?? [])
    return JSON.parse(project({ response_fields }, JSON.stringify({ ...video, video_zobjects }))) as object
  }
  const completed = Array.isArray(response) ? response.map(complete) : complete(response)
  return { json: JSON.stringify({ response: completed, ...rest }) }
}

/** The zobjects of these videos that the caller may see, of the types and with the fields asked for, by id. */
async function findZobjects({ parts, principal, scope, query }: Call, videos: readonly Video[]) {
  const ids = [...new Set(videos.flatMap(({ zobject_ids }) => zobject_ids))]
  const seen = withinScope(zobjects, { site_id: scope.site_id }, seesHidden(principal, zobjects))
  const rows = await runSql<{ json: string }>(
    parts.database.db,
    sql`
    select ${raw(recordExpression(zobjects))} as json from ${raw(zobjects.plural)}
    where ${seen} and _id = any(${ids}::text[])
  `,
  )
  const types = namesIn(query.zobject_types).map((name) => name.toLowerCase())
  const found = rows
    .map(({ json }) => JSON.parse(json) as Zobject)
    .filter(({ zobject_type }) => types.length === 0 || types.includes(String(zobject_type)))
  const shown = { response_fields: query.zobject_fields }
  return new Map(found.map((zobject) => [zobject._id, wholeZobject(zobject, shown)]))
}

const namesIn = (given: unknown): string[] =>
  [given ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
