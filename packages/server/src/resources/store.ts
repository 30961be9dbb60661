import { type Resource, slug } from '@zoetrope/contract'
import { naming } from '../db/acting-as.js'
import type { Db } from '../db/database.js'
import { assignment, type Fragment, insertion, raw, sql } from '../db/fragment.js'
import { columnsOf } from '../db/json-columns.js'
import { newId } from '../lib/object-id.js'
import { seenOnly } from '../lists/shown.js'
import { quoted, recordExpression } from './columns.js'

/**
 * The owner of the data, by column: the channel and, for nested resources, the parent record. It restricts every
 * statement and is set in every new row.
 */
export interface Scope extends Readonly<Record<string, string>> {
  readonly site_id: string
}

export type Values = Readonly<Record<string, unknown>>

export const table = (resource: Resource) => raw(quoted(resource.plural))
const record = (resource: Resource) => raw(recordExpression(resource))

/** Runs a statement that selects or returns a record. Returns its JSON text, or undefined if there is none. */
const jsonBy = async (db: Db, statement: Fragment): Promise<string | undefined> =>
  (await db.run<{ json: string }[]>(statement))[0]?.json

const rowsThatAre = {
  present: sql`and deleted_at is null`,
  removed: sql`and deleted_at is not null`,
  both: sql``,
} as const
export type KeptRows = keyof typeof rowsThatAre

/** Matches the rows that exist for the caller: not removed and, unless the caller sees hidden records, not hidden. */
export function withinScope(
  resource: Resource,
  scope: Scope,
  seesHidden: boolean,
  which: KeptRows = 'present',
): Fragment {
  const { site_id, ...others } = scope
  const kept = resource.keptDays === undefined ? sql`` : rowsThatAre[which]
  return Object.entries(others).reduce(
    (left, [column, value]) => sql`${left} and ${raw(quoted(column))} = ${value}`,
    sql`site_id = ${site_id} ${kept} ${seesHidden ? sql`` : seenOnly(resource)}`,
  )
}

/** Returns the record as JSON text, or undefined. Here and below, secret fields are still sealed: see `reveal`. */
export async function find(
  db: Db,
  resource: Resource,
  scope: Scope,
  id: string,
  seesHidden = true,
  which: KeptRows = 'present',
): Promise<string | undefined> {
  const found = sql`${withinScope(resource, scope, seesHidden, which)} and _id = ${id}`
  return jsonBy(db, sql`select ${record(resource)} as json from ${table(resource)} where ${found}`)
}

export async function insert(db: Db, resource: Resource, scope: Scope, values: Values): Promise<string> {
  return (await insertUnless(sql``, db, resource, scope, values)) ?? '{}'
}

/** Inserts a record. Returns undefined, and inserts nothing, if another record has a value that must be unique. */
const insertIfFree = (db: Db, resource: Resource, scope: Scope, values: Values) =>
  insertUnless(sql`on conflict do nothing`, db, resource, scope, values)

function insertUnless(conflict: Fragment, db: Db, resource: Resource, scope: Scope, values: Values) {
  const row = insertion(columnsOf(resource, { _id: newId(), ...values, ...scope }))
  const returned = sql`returning ${record(resource)} as json${naming(db)}`
  return jsonBy(db, sql`insert into ${table(resource)} ${row} ${conflict} ${returned}`)
}

/**
 * Inserts a record with a unique friendly title: the given one, or one made from the title. A unique index decides,
 * because with a query beforehand two concurrent inserts would both find the title free.
 */
export async function insertNamed(
  db: Db,
  resource: Resource,
  scope: Scope,
  values: Values & { readonly _id: string },
): Promise<string> {
  const { _id, title, friendly_title } = values
  if (friendly_title != null) return insert(db, resource, scope, values)
  const word = slug(String(title))
  for (const name of [word, `${word}-${_id.slice(-8)}`]) {
    const made = await insertIfFree(db, resource, scope, { ...values, friendly_title: name })
    if (made !== undefined) return made
  }
  // This title is certainly free. If the insert fails again, the error names the value that is really taken.
  return insert(db, resource, scope, { ...values, friendly_title: `${word}-${_id}` })
}

/** Updates only the given fields of the record. */
export async function update(
  db: Db,
  resource: Resource,
  scope: Scope,
  id: string,
  values: Values,
): Promise<string | undefined> {
  // The id is not among the columns: naming a key would lock the row against favourites and plays that refer to it.
  const fields = Object.entries(values).length > 0 ? sql`${assignment(columnsOf(resource, values))}, ` : sql``
  const statement = sql`
    update ${table(resource)} set ${fields}updated_at = now()
    where ${withinScope(resource, scope, true)} and _id = ${id}
    returning ${record(resource)} as json${naming(db)}
  `
  return jsonBy(db, statement)
}

/** Deletes a record for good. Features replace this for resources that keep deleted records for some days. */
export async function remove(db: Db, resource: Resource, scope: Scope, id: string): Promise<boolean> {
  const found = sql`${withinScope(resource, scope, true)} and _id = ${id}`
  const statement = sql`delete from ${table(resource)} where ${found} returning _id${naming(db)}`
  return (await db.run(statement)).length > 0
}

/** Whether the record exists for the caller, who may or may not see hidden records. */
export const isSeen = (db: Db, resource: Resource, scope: Scope, id: string, seesHidden: boolean) =>
  exists(db, resource, sql`${withinScope(resource, scope, seesHidden)} and _id = ${id}`)

/** Whether the channel has the record, even if it is hidden or removed. */
export const belongs = (db: Db, resource: Resource, scope: Scope, id: string) =>
  exists(db, resource, sql`${withinScope(resource, scope, true, 'both')} and _id = ${id}`)

const exists = async (db: Db, resource: Resource, where: Fragment): Promise<boolean> =>
  (await db`select from ${table(resource)} where ${where}`).length > 0
