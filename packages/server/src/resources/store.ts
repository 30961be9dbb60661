import { hidingField, type Resource } from '@zoetrope/contract'
import { naming } from '../db/acting-as.js'
import type { Db } from '../db/database.js'
import { assignment, type Fragment, insertion, raw, run, sql } from '../db/fragment.js'
import { newId } from '../lib/object-id.js'
import { quoted, recordExpression } from './columns.js'

/**
 * The owner of the data, by column: the channel and, for nested resources, the parent record. It restricts every
 * statement and is set in every new row.
 */
export interface Scope extends Readonly<Record<string, string>> {
  readonly site_id: string
}

export type Values = Readonly<Record<string, unknown>>

const table = (resource: Resource) => raw(quoted(resource.plural))
const record = (resource: Resource) => raw(recordExpression(resource))

function within({ site_id, ...others }: Scope): Fragment {
  return Object.entries(others).reduce(
    (left, [column, value]) => sql`${left} and ${raw(quoted(column))} = ${value}`,
    sql`site_id = ${site_id}`,
  )
}

const rowsThatAre = {
  present: sql`and deleted_at is null`,
  removed: sql`and deleted_at is not null`,
  both: sql``,
} as const

/** Matches the rows that exist for the caller: not removed and, unless the caller sees hidden records, not hidden. */
export function withinScope(
  resource: Resource,
  scope: Scope,
  seesHidden: boolean,
  which: keyof typeof rowsThatAre = 'present',
): Fragment {
  const hides = seesHidden ? undefined : hidingField(resource)
  const kept = resource.keptDays === undefined ? sql`` : rowsThatAre[which]
  return sql`${within(scope)} ${kept} ${hides ? sql`and ${raw(quoted(hides))}` : sql``}`
}

/** Returns the record as JSON text, or undefined. Here and below, secret fields are still sealed: see `reveal`. */
export async function find(
  db: Db,
  resource: Resource,
  scope: Scope,
  id: string,
  seesHidden = true,
  which: keyof typeof rowsThatAre = 'present',
): Promise<string | undefined> {
  const [row] = await run<{ json: string }>(
    db,
    sql`
    select ${record(resource)} as json from ${table(resource)}
    where ${withinScope(resource, scope, seesHidden, which)} and _id = ${id}
  `,
  )
  return row?.json
}

export async function insert(db: Db, resource: Resource, scope: Scope, values: Values): Promise<string> {
  const row = { _id: newId(), ...values, ...scope }
  const [made] = await run<{ json: string }>(
    db,
    sql`
    insert into ${table(resource)} ${insertion(row)} returning ${record(resource)} as json${naming(db)}
  `,
  )
  return made?.json ?? '{}'
}

/** Updates only the given fields of the record, if it meets the condition. */
export async function update(
  db: Db,
  resource: Resource,
  scope: Scope,
  id: string,
  values: Values,
  condition = sql`true`,
): Promise<string | undefined> {
  // Sets the id to itself, because SQL needs at least one column to set.
  const [changed] = await run<{ json: string }>(
    db,
    sql`
    update ${table(resource)} set ${assignment({ ...values, _id: id })}, updated_at = now()
    where ${withinScope(resource, scope, true)} and _id = ${id} and ${condition}
    returning ${record(resource)} as json${naming(db)}
  `,
  )
  return changed?.json
}

/** Deletes a record for good. Features replace this for resources that keep deleted records for some days. */
export async function remove(db: Db, resource: Resource, scope: Scope, id: string): Promise<boolean> {
  const removed = await run(
    db,
    sql`delete from ${table(resource)} where ${withinScope(resource, scope, true)} and _id = ${id} returning _id${naming(db)}`,
  )
  return removed.length > 0
}

/** Returns the id of the record with this value in a unique column. */
export async function idBy(db: Db, { plural }: Resource, scope: Scope, column: string, value: string) {
  const where = sql`${within(scope)} and ${raw(quoted(column))} = ${value}`
  const [row] = await run<{ _id: string }>(db, sql`select _id from ${raw(quoted(plural))} where ${where}`)
  return row?._id
}

/** Whether the record exists for the caller, who may or may not see hidden records. */
export async function isSeen(
  db: Db,
  resource: Resource,
  scope: Scope,
  id: string,
  seesHidden: boolean,
): Promise<boolean> {
  const seen = withinScope(resource, scope, seesHidden)
  return (await run(db, sql`select from ${table(resource)} where ${seen} and _id = ${id}`)).length > 0
}

/** Whether the channel has the record, even if it is hidden or removed. */
export async function belongs(db: Db, resource: Resource, scope: Scope, id: string): Promise<boolean> {
  const [row] = await run(db, sql`select from ${table(resource)} where ${within(scope)} and _id = ${id}`)
  return row !== undefined
}
