import { limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { explaining } from '../../db/violation.js'
import { invalid, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { insert, type Scope, update } from '../../resources/store.js'
import { type Attribute, type AttributeChange, changeAttributes } from './attributes.js'

/** Creates a type. Its title is stored in lower case and is unique within the channel. */
export async function createType({ parts, resource, scope, body }: Call): Promise<Answer> {
  const { changes, given } = apart(body)
  const zobject_attributes = changeAttributes([], changes ?? [])
  const row = { ...named(given), zobject_attributes }
  const record = await onceOnly(insert(parts.database.db, resource, scope, row))
  return answer(record)
}

/** Updates a type and its zobjects: new attributes are null, renamed ones keep their values, others are removed. */
export async function updateType({ parts, resource, scope, id, body }: Call): Promise<Answer> {
  const { changes, given } = apart(body)
  const record = await onceOnly(
    parts.database.transaction(async (tx) => {
      const [now] = await tx<{ zobject_attributes: Attribute[] }[]>`
        select zobject_attributes from zobject_types where site_id = ${scope.site_id} and _id = ${id} for update
      `
      if (!now) throw notFound(resource.name)
      const zobject_attributes = changeAttributes(now.zobject_attributes, changes ?? [])
      if (changes !== undefined)
        await followAttributes(tx, scope, id, now.zobject_attributes, zobject_attributes)
      return update(tx, resource, scope, id, { ...named(given), zobject_attributes })
    }),
  )
  return answer(record ?? '')
}

export async function removeType(call: Call): Promise<undefined> {
  await standard.remove(call)
}

/**
 * Separates the changes to attributes from the other fields. Attributes copied from a record are matched by name,
 * without their ids, so that a record can be sent to create another type.
 */
function apart({ zobject_attributes: shown, zobject_attributes_attributes: sent, ...given }: Call['body']) {
  if (shown === undefined && sent === undefined) return { changes: undefined, given }
  const seen = ((shown ?? []) as readonly Attribute[]).map(
    ({ _id: _, created_at: __, updated_at: ___, ...attribute }) => attribute,
  )
  const changes: readonly AttributeChange[] = [...seen, ...((sent ?? []) as readonly AttributeChange[])]
  return { changes, given }
}

const named = (given: Call['body']) =>
  given.title === undefined ? given : { ...given, title: String(given.title).trim().toLowerCase() }

const onceOnly = <T>(write: Promise<T>): Promise<T> =>
  explaining(write, 'unique', () =>
    invalid('Could not save zobject type: there is one with this title already.', {
      title: ['is the title of another type'],
    }),
  )

async function followAttributes(
  tx: Db,
  { site_id }: Scope,
  type_id: string,
  before: readonly Attribute[],
  after: readonly Attribute[],
): Promise<void> {
  if (after.length > limits.zobject_attributes.value)
    throw invalid(`A zobject type has at most ${limits.zobject_attributes.value} attributes.`)
  const names = new Map(before.map(({ _id, field_name }) => [_id, field_name]))
  const from = after.map(({ _id, field_name }) => names.get(_id) ?? field_name)
  const to = after.map(({ field_name }) => field_name)
  await tx`
    update zobjects set custom = coalesce((
      select jsonb_object_agg(name.new, coalesce(custom -> name.old, 'null'))
      from unnest(${from}::text[], ${to}::text[]) as name (old, new)
    ), '{}')
    where site_id = ${site_id} and zobject_type_id = ${type_id}
  `
}
