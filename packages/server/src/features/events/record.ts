import { catalog, eventVersion, type Resource, secretFields, shownFields } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { raw } from '../../db/fragment.js'
import { quoted, renderExpression } from '../../resources/columns.js'

/** An event without its record. */
export interface EventRow {
  readonly _id: string
  readonly created_at: string
  readonly created: Date
  readonly xact: string
  /** Which write of the transaction it belongs to. */
  readonly step: number
  readonly type: string
  readonly resource: string
  readonly record_id: string | null
  readonly actor: string
  readonly request_id: string | null
  readonly undoes: string | null
}

export const eventColumns = raw(
  '_id, iso(created_at) as created_at, created_at as created, xact::text as xact, step, type, resource, record_id, actor, request_id, undoes',
)

interface EventState {
  readonly _id: string
  readonly data: string
  readonly before: string | null
  readonly changed: readonly string[] | null
}

type RecordFields = Record<string, unknown>

/** Fields that are secret without being declared so. */
const secretText: Readonly<Record<string, readonly string[]>> = { consumers: ['parental_access_code'] }

/** The resources that the rows of a table are shown as. */
const resources = new Map<string, Resource>([
  ...Object.values<Resource>(catalog)
    .filter(({ derived }) => !derived)
    .map((resource): [string, Resource] => [resource.plural, resource]),
  ['invitations', catalog.users],
])

/** The records of events as JSON, in the same order. Rows of one table are read together. */
export async function eventRecords(
  db: Db,
  site_id: string,
  rows: readonly EventRow[],
): Promise<readonly string[]> {
  const tables = [...new Set(rows.map(({ resource }) => resource))]
  const read = tables.map((table) =>
    statesOf(
      db,
      site_id,
      table,
      rows.filter(({ resource }) => resource === table),
    ),
  )
  const names = namesOf(db, site_id, rows)
  const states = new Map((await Promise.all(read)).flat().map((state) => [state._id, state]))
  const known = await names
  return rows.map((row) => JSON.stringify(recordOf(site_id, row, states.get(row._id), known)))
}

async function statesOf(
  db: Db,
  site_id: string,
  table: string,
  rows: readonly EventRow[],
): Promise<readonly EventState[]> {
  const resource = resources.get(table)
  const ids = rows.map(({ _id }) => _id)
  const times = rows.map(({ created }) => created.getTime())
  const as = (state: string) =>
    resource
      ? `(select ${renderExpression(resource)} from populate_record(null::${quoted(resource.plural)}, ${state}))`
      : `hstore_to_json(${state})::text`
  return db<EventState[]>`
    select _id, ${raw(as('events.state'))} as data,
      case when previous is not null then ${raw(as('events.state || events.previous'))} end as before,
      case when previous is not null then akeys(previous) end as changed
    from events where site_id = ${site_id} and _id = any(${ids}::text[])
      and created_at >= ${new Date(Math.min(...times))} and created_at <= ${new Date(Math.max(...times))}
  `
}

function recordOf(
  site_id: string,
  { _id, created_at, type, resource, record_id, actor, request_id, undoes }: EventRow,
  state: EventState | undefined,
  names: ReadonlyMap<string, string>,
): RecordFields {
  const [kind = '', id = null] = actor.split(' ')
  const name = id === null ? undefined : names.get(id)
  const data = withoutSecrets(resource, JSON.parse(state?.data ?? '{}') as RecordFields)
  return {
    _id,
    site_id,
    created_at,
    updated_at: created_at,
    type,
    api_version: eventVersion,
    record_id,
    request_id,
    actor: { kind, id, ...(name === undefined ? {} : { name }) },
    data,
    previous: type.endsWith('.updated') ? previousOf(resource, state) : {},
    undoes,
  }
}

function withoutSecrets(table: string, record: RecordFields): RecordFields {
  const resource = resources.get(table)
  for (const name of [...(resource ? secretFields(resource) : []), ...(secretText[table] ?? [])])
    delete record[name]
  return record
}

/** The old values of the changed fields, without the time of the change. Columns that no record shows are left out. */
function previousOf(table: string, state: EventState | undefined): RecordFields {
  const resource = resources.get(table)
  const before = withoutSecrets(table, JSON.parse(state?.before ?? '{}') as RecordFields)
  const shown = new Set(resource ? shownFields(resource) : Object.keys(before))
  const changed = (state?.changed ?? []).filter(
    (name) => name !== 'updated_at' && shown.has(name) && Object.hasOwn(before, name),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}

/** The names of people and of named keys, by id. The deletion of a key is an event that keeps its name. */
async function namesOf(
  db: Db,
  site_id: string,
  rows: readonly EventRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ actor }) => actor.split(' ')[1] ?? ''))].filter(
    (id) => id.length === 24,
  )
  if (ids.length === 0) return new Map()
  const found = await db<{ _id: string; name: string }[]>`
    select _id, coalesce(name, split_part(email, '@', 1)) as name, null::timestamptz as deleted_at from publishers
    where _id = any(${ids}::text[])
    union all
    select _id, name, null from named_keys where site_id = ${site_id} and _id = any(${ids}::text[])
    union all
    select record_id, state -> 'name', created_at from events
    where site_id = ${site_id} and record_id = any(${ids}::text[]) and type = 'key.deleted'
    order by deleted_at nulls last
  `
  return new Map(found.map(({ _id, name }) => [_id, name]))
}
