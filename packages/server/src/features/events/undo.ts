import {
  ancestorsOf,
  catalog,
  type Field,
  type Inverse,
  inverseOf,
  operationOf,
  parentField,
  type Resource,
  writableFields,
} from '@zoetrope/contract'
import { mayDo, notAllowed } from '../../auth/access.js'
import { checkConfirmed } from '../../auth/confirmation.js'
import type { Db } from '../../db/database.js'
import { ApiError, invalid, notFound } from '../../errors.js'
import type { Answer, Body, Call, Feature, Run, RunAction } from '../../resources/feature.js'
import { answer, standard } from '../../resources/standard.js'
import { find, type Scope, type Values } from '../../resources/store.js'
import { fieldsToRestore } from '../videos/restore-version.js'
import { bringBack } from './bring-back.js'
import { findEvent } from './read.js'
import { type EventRow, eventColumns, eventRecords } from './record.js'
import { isEvent } from './request.js'

/** An event that is to be undone, and the call that its inverse will be. */
interface Undone {
  readonly row: EventRow
  readonly data: Values
  readonly previous: Values
  readonly inverse: Inverse
  readonly resource: Resource
  readonly feature: Feature
  readonly call: Call
}

const cannotUndo = ({ type }: Pick<EventRow, 'type'>, why = '') =>
  invalid(`An event of the type ${type} cannot be undone.${why}`)
const staysRevoked = ' What was revoked stays revoked. Create a new one.'
const staysOff = ' It was switched off or has expired, and stays so. Change it directly.'

/** Whether its records are credentials, or have keys of their own that work as long as the record does. */
const givesAccess = (resource: Resource): boolean =>
  resource.credential ||
  Object.values<Resource>(catalog).some(
    ({ within, credential, operations }) => within === resource && credential && operations.includes('list'),
  )
const isOff = ({ active, expires_at }: Values): boolean =>
  active === false || (typeof expires_at === 'string' && Date.parse(expires_at) <= Date.now())

/**
 * Undoes an event: an update puts the old values back, unless they were changed since; a creation deletes; a deletion
 * brings the record back. The caller needs the right and the confirmation to do that directly, and no credential that was
 * revoked, switched off or has expired works again by it. Returns the event of the undoing.
 */
export const undoing =
  (featureOf: (resource: Resource) => Feature): Run =>
  async (call): Promise<Answer> => {
    const { db } = call.parts.database
    const undone = await readUndone(call, featureOf)
    await db`select set_config('zoetrope.undoes', ${undone.row._id}, true)`
    const earlier = await undoneAt(db, call.scope.site_id, undone.row)
    await invert(undone).catch((error: unknown) => {
      if (!earlier || !(error instanceof ApiError) || error.status === 403) throw error
      throw new ApiError(409, `This was undone already, at ${earlier.toISOString()}.`, {
        cause: error,
        ...(error.fields ? { fields: error.fields } : {}),
      })
    })
    for (const list of ['videos', 'consumers'] as const) call.parts.freshness.touch(call.scope.site_id, list)
    const undoing = await undoingOf(db, call.scope.site_id, undone.row)
    // The transaction may go on with other changes.
    await db`select set_config('zoetrope.undoes', '', true)`
    return answer(undoing)
  }

async function readUndone(call: Call, featureOf: (resource: Resource) => Feature): Promise<Undone> {
  const { parts, principal, scope } = call
  const { db } = parts.database
  const row = await findEvent(call)
  const resource = Object.values<Resource>(catalog).find(
    ({ plural, derived }) => plural === row.resource && !derived,
  )
  const inverse = resource && inverseOf(resource, row.type)
  if (!inverse) throw cannotUndo(row, resource?.credential ? staysRevoked : '')
  const operation = operationOf(inverse)
  if (!mayDo(principal, resource, operation)) throw notAllowed(principal, resource, operation)
  const [json = '{}'] = await eventRecords(db, scope.site_id, [row])
  const { data, previous } = JSON.parse(json) as { data: Values; previous: Values }
  const [stored] = await db<{ state: Values }[]>`
    select hstore_to_json(state) as state from events where site_id = ${scope.site_id} and ${isEvent(row._id)}
  `
  const inside = Object.fromEntries(
    ancestorsOf(resource).map((parent) => [parentField(parent), String(stored?.state[parentField(parent)])]),
  )
  const target: Call = {
    ...call,
    resource,
    id: row.record_id ?? '',
    scope: { ...inside, site_id: scope.site_id } as Scope,
    query: data.zobject_type === undefined ? {} : { zobject_type: data.zobject_type },
    body: {},
  }
  return { row, data, previous, inverse, resource, feature: featureOf(resource), call: target }
}

async function invert(undone: Undone): Promise<void> {
  const { inverse, resource, feature, call } = undone
  if (inverse === 'update') await putBack(undone)
  else if (inverse === 'remove') await runWith(feature.operations?.remove ?? standard.remove, call)
  else if (resource.keptDays !== undefined && feature.actions?.restore)
    await runWith(feature.actions.restore, call)
  else await revive(undone)
}

/** The body is what the contract declares for the operation: it comes from a record. */
const runWith = (operation: RunAction<never>, call: Call, body: Body = {}) =>
  operation({ ...call, body: body as never })

/** To bring a record back is to create it as it was: it may need confirmation. */
async function revive({ row, data, resource, call }: Undone): Promise<void> {
  const { parts, principal, scope } = call
  await checkConfirmed(parts.database.db, principal, resource, 'create', data)
  await bringBack(parts.database.db, scope.site_id, row)
  parts.principals.forget()
}

async function putBack(undone: Undone): Promise<void> {
  const { row, resource, feature, call, data, previous } = undone
  const { parts, scope, id } = call
  const json = await find(parts.database.db, resource, scope, id)
  if (!json) throw notFound(resource.name)
  const now = JSON.parse(json) as Values
  const past = await restorable(undone, now)
  if (Object.keys(past).length === 0) throw cannotUndo(row)
  const changed = Object.keys(previous).filter(
    (name) => Object.hasOwn(data, name) && isWritten(resource, name) && !isSame(now[name], data[name]),
  )
  if (changed.length > 0)
    throw new ApiError(409, `These fields were changed since: ${changed.join(', ')}.`, {
      fields: Object.fromEntries(changed.map((name) => [name, ['was changed since']])),
    })
  if (givesAccess(resource) && isOff(now) && !isOff({ ...now, ...past })) throw cannotUndo(row, staysOff)
  await checkConfirmed(parts.database.db, call.principal, resource, 'update', past)
  await runWith(feature.operations?.update ?? standard.update, call, past)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
/** Fields of videos that are written under other names. */
const writtenOtherwise = ['categories', 'segments', 'zobject_ids']
const isWritten = (resource: Resource, name: string) =>
  writableFields(resource).some(([field]) => field === name) ||
  isWrittenAsChanges(resource, name) ||
  (resource.plural === 'videos' && writtenOtherwise.includes(name))

/** The old values that an update takes. Those of videos may refer to records that are gone. */
async function restorable({ resource, previous, call }: Undone, now: Values): Promise<Body> {
  const past = Object.fromEntries(Object.entries(previous).filter(([name]) => isWritten(resource, name)))
  if (resource.plural === 'videos')
    return fieldsToRestore(call.parts.database.db, call.scope.site_id, call.id, past)
  return Object.fromEntries(
    Object.entries(past).flatMap(([name, value]) =>
      isWrittenAsChanges(resource, name)
        ? Object.entries(changesToRestore(resource, name, now[name], value))
        : [[name, value]],
    ),
  )
}

/** When an event was undone, unless that was undone in turn. */
async function undoneAt(db: Db, site_id: string, { _id, record_id }: EventRow): Promise<Date | undefined> {
  const [row] = await db<{ created_at: Date }[]>`
    select created_at from events as undoing
    where site_id = ${site_id} and record_id = ${record_id} and undoes = ${_id} and not exists (
      select from events as again
      where again.site_id = ${site_id} and again.record_id = ${record_id} and again.undoes = undoing._id
    )
    order by _id desc limit 1
  `
  return row?.created_at
}

/** The event that undoing it has made. */
async function undoingOf(db: Db, site_id: string, { _id, record_id }: EventRow): Promise<string> {
  const [row] = await db<EventRow[]>`
    select ${eventColumns} from events
    where site_id = ${site_id} and record_id = ${record_id} and undoes = ${_id} and type is not null
      and xact = pg_current_xact_id()
    order by _id desc limit 1
  `
  if (!row) throw invalid('There is nothing to undo.')
  const [record = '{}'] = await eventRecords(db, site_id, [row])
  return record
}

interface NestedRow extends Readonly<Record<string, unknown>> {
  readonly _id: string
}

const fieldOfChanges = (name: string) => `${name}_attributes`

/** Whether a list of objects is written as a list of changes to it, under another name. */
const isWrittenAsChanges = ({ fields }: Resource, name: string): boolean =>
  fields[fieldOfChanges(name)]?.kind === 'objects'

/** The changes that make such a list what it was. Objects that are gone come back with new ids. */
function changesToRestore({ fields }: Resource, name: string, now: unknown, past: unknown): Body {
  const changes = fields[fieldOfChanges(name)]
  const written = changes?.kind === 'objects' ? Object.keys(changes.of as Record<string, Field>) : []
  const rows = (value: unknown) => (Array.isArray(value) ? (value as NestedRow[]) : [])
  const isIn = (among: readonly NestedRow[], id: string) => among.some(({ _id }) => _id === id)
  const valuesOf = (row: NestedRow) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => written.includes(field)))
  const removed = rows(now).filter(({ _id }) => !isIn(rows(past), _id))
  return {
    [fieldOfChanges(name)]: [
      ...removed.map(({ _id }) => ({ id: _id, _destroy: true })),
      ...rows(past).map((row) =>
        isIn(rows(now), row._id) ? { ...valuesOf(row), id: row._id } : valuesOf(row),
      ),
    ],
  }
}
