import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  catalog,
  eventSubjects,
  eventVerbs,
  type Resource,
  secretFields,
  shownFields,
} from '@zoetrope/contract'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { keepRecord } from '../packages/server/src/db/records.js'
import { keptTables } from '../packages/server/src/features/events/bring-back.js'
import { keepEventDays } from '../packages/server/src/jobs/keep-events.job.js'
import { setDeletionTime } from '../packages/server/src/library/deletion-clock.js'
import { cloneDatabase } from './support/database.js'
import { privateColumns } from './support/private-schema.js'

/** Resources without events of their own: only the platform writes them. */
const withoutEvents: Readonly<Record<string, string>> = {
  sources: 'uploads, imports and the milestones of videos tell of films',
  program_guide_entries: 'replaced as a whole whenever a guide is read',
  plays: 'statistics',
  devices: 'the same in every channel',
  device_categories: 'the same in every channel',
  revenue_models: 'the same in every channel',
  webhook_deliveries: 'they are about events, and change with every attempt',
  linked_devices: 'their trigger has rules of its own: a device is a record once somebody has linked it',
}

const resources = Object.values<Resource>(catalog).filter(({ derived }) => !derived)
let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 3 })
})
after(async () => {
  await database.close()
  await drop()
})

interface EventTrigger {
  readonly table: string
  readonly hidden: readonly string[]
  readonly quiet: readonly string[]
  readonly operations: number
}

const triggers = () => database.db<EventTrigger[]>`
  select relname as table, arguments[2]::text[] as hidden, arguments[3]::text[] as quiet, tgtype & 28 as operations
  from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
  cross join regexp_split_to_array(encode(tgargs, 'escape'), '\\\\000') as arguments
  where proname = 'note_change' and arguments[1] <> '' and tgenabled = 'O' order by 1
`

test('every resource that the API writes has events, and the others say why not', async () => {
  const found = (await triggers()).map(({ table }) => table)
  const expected = resources
    .map(({ plural }) => plural)
    .filter((plural) => !Object.hasOwn(withoutEvents, plural))
  assert.deepEqual(found, expected.sort())
})

test('a trigger writes an event for each of the operations that a resource has', async () => {
  const bits = { create: 4, remove: 8, update: 16 } as const
  for (const { table, operations } of await triggers()) {
    const resource = resources.find(({ plural }) => plural === table)
    for (const [operation, bit] of Object.entries(bits))
      if (resource?.operations.includes(operation as keyof typeof bits))
        assert.ok((operations & bit) > 0, `${table} ${operation}`)
  }
})

test('the contract names everything that events are about', async () => {
  const rows = await database.db<{ name: string; verb: string | null }[]>`
    select distinct arguments[1] as name, split_part(milestone, ' ', 1) as verb
    from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    cross join regexp_split_to_array(encode(tgargs, 'escape'), '\\\\000') as arguments
    left join unnest(coalesce(nullif(arguments[5], ''), '{}')::text[]) as milestone on true
    where proname = 'note_change' and arguments[1] <> ''
  `
  // Their triggers have functions of their own.
  const others = ['invitation', 'linked_device', 'member', 'publisher']
  const names = new Set([...rows.map(({ name }) => name), ...others])
  assert.deepEqual([...names].sort(), [...eventSubjects].sort())
  const written = ['created', 'updated', 'deleted', 'restored', 'purged', 'granted', 'ended']
  const alone = ['rotated', 'signed_in', 'test']
  const verbs = new Set([...rows.flatMap(({ verb }) => verb ?? []), ...written, ...alone])
  assert.deepEqual([...verbs].sort(), [...eventVerbs].sort())
})

const isSecret = /(hash|digest|nonce|secret|sealed|app_key|^key$|access_code$)/
const unreadable = ['bytea', 'tsvector']

interface EventColumn {
  readonly name: string
  readonly type: string
}

function columnProblem({ table, hidden, quiet }: EventTrigger, { name, type }: EventColumn): string[] {
  const isHidden = hidden.includes(name)
  if (!isHidden && (isSecret.test(name) || unreadable.includes(type)))
    return [`${table}.${name} must be hidden`]
  const isPrivate = Object.hasOwn(privateColumns, `${table}.${name}`)
  return isPrivate && !isHidden && !quiet.includes(name)
    ? [`${table}.${name} must be quiet: it is private`]
    : []
}

function fieldProblems({ table, hidden, quiet }: EventTrigger): string[] {
  const resource = resources.find(({ plural }) => plural === table)
  if (!resource) return [`${table} is no resource`]
  const ignored = [...hidden, ...quiet]
  return [
    ...secretFields(resource).flatMap((name) =>
      hidden.includes(name) ? [] : [`${table}.${name} is secret`],
    ),
    ...(quiet.includes('updated_at') ? [] : [`${table}.updated_at must be quiet`]),
    ...(shownFields(resource).every((name) => ignored.includes(name)) ? [`${table} has no events`] : []),
  ]
}

test('events contain no secret column, and columns that no record shows make none', async () => {
  for (const trigger of await triggers()) {
    const columns = await database.db<EventColumn[]>`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${trigger.table}::regclass and attnum > 0 and not attisdropped
    `
    const names = columns.map(({ name }) => name)
    const unknown = [...trigger.hidden, ...trigger.quiet].filter((name) => !names.includes(name))
    assert.deepEqual(unknown, [], `columns of ${trigger.table} that do not exist`)
    assert.deepEqual(
      columns.flatMap((column) => columnProblem(trigger, column)),
      [],
    )
    assert.deepEqual(fieldProblems(trigger), [])
  }
})

test('an event without a partition of its day is kept, and old days are dropped', async () => {
  const { db } = database
  const [{ partitions = 0 } = {}] = await db<{ partitions: number }[]>`
    select count(*)::int as partitions from pg_inherits where inhparent = 'events'::regclass
  `
  assert.ok(partitions > 7)
  const add = (at: Date) => db`
    insert into events (_id, site_id, created_at, xact, type, resource, actor, state)
    values (md5(${at}::text), 'one', ${at}, pg_current_xact_id(), 'video.created', 'videos', 'admin', '')
  `
  const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)
  for (const days of [-40, -20, 0, 20]) await add(daysFromNow(days))
  const left = async () => (await db`select from events where site_id = 'one'`).length
  assert.equal(await left(), 4)
  await db`select keep_event_days(30)`
  assert.equal(await left(), 3, 'the event of 40 days ago is gone from the default partition')

  await db`alter table events detach partition events_other`
  const day = daysFromNow(-35).toISOString().slice(0, 10).replaceAll('-', '')
  await db.unsafe(`create table events_${day} (like events including all)`)
  await db.unsafe(
    `alter table events attach partition events_${day} for values from ('${day} 00:00+00') to ('${day} 23:59+00')`,
  )
  await db`alter table events attach partition events_other default`
  await db`select keep_event_days(30)`
  assert.equal((await db`select to_regclass(${`events_${day}`}) as name`)[0]?.name, null)
})

test('a clock that jumps ahead by a month drops no events until it is confirmed', async () => {
  const { db } = database
  // A month ago, by the clock that has jumped.
  const then = Date.now() - 31 * 86_400_000
  await keepRecord(db, 'deletion_clock', JSON.stringify({ time: then, seen: then }))
  await db`
    insert into events (_id, site_id, created_at, xact, type, resource, actor, state)
    values ('month', 'three', ${new Date(then)}, pg_current_xact_id(), 'video.created', 'videos', 'admin', '')
  `
  const left = async () => (await db`select from events where site_id = 'three'`).length
  for (const _time of ['at the start', 'by the job']) await keepEventDays(db, 30)
  assert.equal(await left(), 1)
  await setDeletionTime(db)
  await keepEventDays(db, 30)
  assert.equal(await left(), 0)
})

test('events of a restored dump come before new ones, whatever the transactions of the new server', async () => {
  const { db } = database
  await db`update event_clusters set identifier = 'another'`
  await db`
    insert into events (_id, site_id, created_at, xact, type, resource, actor, state)
    values ('old', 'two', now(), '4611686018427387904', 'video.created', 'videos', 'admin', '')
  `
  await keepEventDays(db, 30)
  const [row] = await db`select xact::text as xact from events where _id = 'old'`
  assert.equal(row?.xact, '0')
})

/** Deleted records of these stay deleted. */
const notKept = ['videos', 'audio_tracks', 'sessions', 'linked_devices', 'uploads', 'video_imports']

test('deleted rows are kept of every resource that can be deleted, except credentials, and come back after those they refer to', async () => {
  const { db } = database
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
    cross join regexp_split_to_array(encode(tgargs, 'escape'), '\\\\000') as arguments
    where proname = 'note_change' and arguments[4] = 'kept' and tgtype & 8 > 0 order by 1
  `
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...keptTables].sort(),
  )
  for (const { plural, operations, credential } of resources)
    if (operations.includes('remove') && !notKept.includes(plural))
      assert.equal(keptTables.includes(plural), !credential, plural)
  const keys = await db<{ child: string; parent: string }[]>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint where contype = 'f'
  `
  for (const { child, parent } of keys) {
    const [before, after] = [keptTables.indexOf(parent), keptTables.indexOf(child)]
    if (before >= 0 && after >= 0 && child !== parent) assert.ok(before < after, `${parent} before ${child}`)
  }
})
