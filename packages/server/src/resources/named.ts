import { type Resource, slug } from '@zoetrope/contract'
import { naming } from '../db/acting-as.js'
import type { Db } from '../db/database.js'
import { insertion, raw, run, sql } from '../db/fragment.js'
import { quoted, recordExpression } from './columns.js'
import { insert, type Scope, type Values } from './store.js'

type NewValues = Values & { readonly _id: string }

/**
 * Inserts a record with a unique friendly title: the given one, or one made from the title. A unique index decides,
 * because with a query beforehand two concurrent inserts would both find the title free.
 */
export async function insertNamed(
  db: Db,
  resource: Resource,
  scope: Scope,
  values: NewValues,
): Promise<string> {
  const { _id, title, friendly_title } = values
  if (friendly_title != null) return insert(db, resource, scope, values)
  const word = slug(String(title))
  for (const name of [word, `${word}-${_id.slice(-8)}`]) {
    const made = await insertUnlessTaken(db, resource, { ...values, ...scope, friendly_title: name })
    if (made !== undefined) return made
  }
  // This title is certainly free. If the insert fails again, the error names the value that is really taken.
  return insert(db, resource, scope, { ...values, friendly_title: `${word}-${_id}` })
}

/** Inserts a record. Returns undefined, and inserts nothing, if another record has a value that must be unique. */
async function insertUnlessTaken(db: Db, resource: Resource, row: NewValues): Promise<string | undefined> {
  const [made] = await run<{ json: string }>(
    db,
    sql`
    insert into ${raw(quoted(resource.plural))} ${insertion(row)} on conflict do nothing
    returning ${raw(recordExpression(resource))} as json${naming(db)}
  `,
  )
  return made?.json
}
