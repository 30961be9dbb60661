import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import {
  catalog,
  type Field,
  isShown,
  nullable,
  parentField,
  type Resource,
  shownFields,
  sortFields,
} from '@zoetrope/contract'
import { type Database, openDatabase } from '../packages/server/src/db/database.js'
import { renderExpression, sortExpression } from '../packages/server/src/resources/columns.js'
import { cloneDatabase } from './support/database.js'
import { schemaFile, schemaText } from './support/schema-text.js'

/** Columns of a resource's table that no record shows, and why they exist. */
const privateColumns: Readonly<Record<string, string>> = {
  'ad_tags.search': 'the words an ad tag is found by',
  'apps.search': 'the words an app is found by',
  'categories.renamed': 'what values that are gone are called now, for videos that have not followed yet',
  'categories.search': 'the words a category is found by',
  'channels.storage_limit': 'what the operator lets the channel keep; the account shows what follows from it',
  'consumers.password_hash': 'what a password leaves behind; a password itself has no column',
  'consumers.search': 'the words a consumer is found by',
  'device_categories.search': 'the words a category of devices is found by',
  'devices.search': 'the words a kind of device is found by',
  'formats.revision': 'how often the formats were changed, so that work for an older choice ends',
  'linked_devices.denied': 'the viewer has said no; the device learns of it when it asks next',
  'linked_devices.device_code_digest': 'what a device of the device grant is recognised by when it asks',
  'linked_devices.device_scope': 'the scope a device of the device grant asked for',
  'linked_devices.linked_from': 'the address it was linked from',
  'linked_devices.pin_needs_link': 'the PIN was asked for by someone who may not be the linked device',
  'linked_devices.pin_digest': 'what a PIN is recognised by; the PIN itself is not stored',
  'linked_devices.pin_expiration': 'when the PIN ends; the calls about PINs show it',
  'linked_devices.pin_nonce': 'what the PIN is made from, together with a key that is not in the database',
  'linked_devices.pin_tries': 'how often a wrong PIN was tried for this device',
  'linked_devices.poll_seconds': 'how long a device of the device grant has to wait between two questions',
  'linked_devices.polled_at': 'when it last asked',
  'pass_plans.search': 'the words a pass is found by',
  'plans.search': 'the words a plan is found by',
  'revenue_models.search': 'the words a way to earn is found by',
  'sessions.ends_at': 'when the session ends however often it is renewed',
  'playlists.search': 'the words a playlist is found by',
  'subtitles.vtt': 'the text as it is served; records name its address',
  'sources.facts': 'all that is known about the file',
  'sources.failures': 'how often ffmpeg could not prepare it',
  'sources.plan': 'how its published form is laid out',
  'video_imports.failures': 'how often in a row it did not work',
  'video_imports.file_name': 'what the file is called at its address',
  'video_imports.held_by': 'which process fetches it',
  'video_imports.held_until': 'until when that is believed, or when it may be tried next',
  'video_imports.media_source_id': 'under which its bytes lie',
  'video_imports.search': 'the words an import is found by',
  'video_imports.started_at': 'since when it is under way, however often it was tried',
  'video_imports.validator': 'what the server of the film calls the bytes that have arrived',
  'transactions.provider_id': 'what the provider calls the payment, by which it is recognised',
  'upload_tokens.digest': 'what a token is recognised by; the token itself is not stored',
  'uploads.finished_at': 'when its last byte was there and its video recorded; status says whether',
  'uploads.hidden': 'begun with a token that makes no active videos',
  'uploads.metadata': 'the fields of the video to be, as they were sent',
  'uploads.source_id': 'the file that it becomes',
  'videos.media_source_id': 'the uploaded file that the video is made from',
  'videos.pending_source_id':
    'the uploaded file that takes the place of the one before it once it can be played',
  'videos.poster_image_id': 'the uploaded image that its pictures were made from',
  'videos.poster_seconds': 'the moment that the publisher chose for its pictures',
  'videos.rating_count': 'how many have rated it',
  'videos.rating_sum': 'the sum of their ratings, of which rating is the mean',
  'videos.search': 'the words a video is found by',
  'videos.record': 'the record as it is sent, kept ready by a trigger',
  'zobject_types.search': 'the words a type of zobjects is found by',
  'zobjects.search': 'the words a zobject is found by',
  'videos.switches_at':
    'the next moment at which active changes by itself; follows from enable_at and disable_at',
  'videos.status_before_removal': 'what status becomes again when a deleted video is restored',
}

/** Tables that are no resource, and why they exist. */
const privateTables: Readonly<Record<string, string>> = {
  api_keys: 'digests and ciphertexts of the keys of a channel',
  app_credentials: 'digests an app is recognised by, replaced ones included',
  attempts: 'how full the buckets are that limit guessing',
  authorization_codes: 'digests of the codes of the sign-in page',
  installation: 'facts about this installation',
  known_addresses: 'digests of the addresses a consumer has signed in from, which an attack cannot shut out',
  list_changes: 'differences of counts that are not summed up yet',
  list_days: 'counts of a list by day',
  list_minutes: 'counts of a list by minute',
  list_versions: 'how often a list has changed',
  media_windows: 'which pieces of published video are made, and by whom',
  mail_tokens: 'digests of the tokens in mails to consumers',
  memberships: 'the role of a publisher in a channel',
  migrations: 'which migrations were applied',
  playlist_videos: 'the videos put in a playlist by hand, and their places',
  publishers: 'the people who sign in; they become a resource with the dashboard',
  token_pairs: 'digests of access and refresh tokens, spent ones included',
  unwanted_tracks: 'what is kept of formats that were turned off, and since when',
  video_requests: 'player requests that are not summed up yet',
  zobject_videos: 'which zobjects are attached to which videos; both records show it',
  workers: 'worker processes that are alive',
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly fallback: string | null
  readonly generated: boolean
}

const everything: readonly Resource[] = Object.values(catalog)
/** Those with a table: the records of the others are made for each answer. */
const resources = everything.filter(({ derived }) => !derived)
let database: Database
let drop: () => Promise<void>
let columns: readonly Column[]

before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 1 })
  columns = await database.db<Column[]>`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
      case when attgenerated = '' then pg_get_expr(adbin, adrelid) end as fallback,
      attgenerated <> '' as generated
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  `
})
after(async () => {
  await database.close()
  await drop()
})

const columnOf = (resource: Resource, name: string) =>
  columns.find((column) => column.table === resource.plural && column.name === name)

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'flag':
      return 'boolean'
    case 'integer':
      return field.max > 2_147_483_647 ? 'bigint' : 'integer'
    case 'number':
      return 'double precision'
    case 'money':
      return 'numeric'
    case 'choice':
      return typeof field.options[0] === 'number' ? 'smallint' : 'text'
    case 'timestamp':
      return 'timestamp(3) with time zone'
    case 'secret':
      return 'bytea'
    case 'list':
      return 'text[]'
    case 'map':
    case 'objects':
      return 'jsonb'
    default:
      return 'text'
  }
}

/** What the column must fill in by itself; undefined where that is no matter of the definition. */
function fallbackOf(field: Field): string | null | undefined {
  if (field.kind === 'list') return "'{}'::text[]"
  if (field.kind === 'map') return "'{}'::jsonb"
  if (field.kind === 'objects') return "'[]'::jsonb"
  const given = 'default' in field ? field.default : undefined
  if (given === undefined) return field.always || field.required ? undefined : null
  if (field.kind === 'timestamp') return 'now()'
  return typeof given === 'string' ? `'${given}'::text` : String(given)
}

function problemsOf(resource: Resource, name: string, field: Field): string[] {
  const column = columnOf(resource, name)
  const at = `${resource.plural}.${name}`
  if (!column) return [`${at} does not exist`]
  const fallback = fallbackOf(field)
  return [
    ...(column.type === typeOf(field) ? [] : [`${at} is ${column.type}, not ${typeOf(field)}`]),
    ...(column.required === !nullable(field)
      ? []
      : [`${at} should ${nullable(field) ? '' : 'not '}be nullable`]),
    ...(fallback === undefined || column.generated || column.fallback === fallback
      ? []
      : [`${at} defaults to ${column.fallback}, not ${fallback}`]),
  ]
}

test('db/schema.sql is what the migrations make; `npm run dump-schema` writes it', async () => {
  assert.equal(await schemaText(database.db), await readFile(schemaFile, 'utf8'))
})

test('every field has a column of its type, its nullability and its default', () => {
  const problems = resources.flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([, field]) => isShown(field) && !field.derived)
      .flatMap(([name, field]) => problemsOf(resource, name, field)),
  )
  assert.deepEqual(problems, [])
})

test('what is only ever written has no column: a password leaves a hash behind, a file what it says', () => {
  const written = resources.flatMap((resource) =>
    Object.entries(resource.fields)
      .filter(([, field]) => !isShown(field))
      .map(([name]) => ({ resource, name })),
  )
  assert.ok(written.length > 1)
  for (const { resource, name } of written) assert.equal(columnOf(resource, name), undefined, name)
})

test('a resource whose records are made for each answer has no table', () => {
  const derived = everything.filter((resource) => resource.derived)
  assert.ok(derived.length > 0)
  for (const { name, plural } of derived)
    assert.ok(!columns.some(({ table }) => table === plural || table === name), plural)
})

test('what lives inside a record names that record, and goes with it', async () => {
  for (const { plural, within } of resources) {
    if (!within) continue
    const [key] = await database.db<{ action: string }[]>`
      select confdeltype as action from pg_constraint
      where conrelid = ${plural}::regclass and confrelid = ${within.plural}::regclass
        and pg_get_constraintdef(oid) like ${`FOREIGN KEY (site_id, ${parentField(within)}) %`}
    `
    assert.equal(key?.action, 'c', plural)
  }
})

test('every column and table that no definition names is private for a stated reason', () => {
  const tables = new Map(resources.map((resource) => [resource.plural, resource]))
  const unnamed = columns
    .filter(({ table, name }) => !Object.hasOwn(tables.get(table)?.fields ?? {}, name))
    .map(({ table, name }) => (tables.has(table) ? `${table}.${name}` : table))
  assert.deepEqual(
    [...new Set(unnamed)].sort(),
    [...Object.keys(privateColumns), ...Object.keys(privateTables)].sort(),
  )
})

test('whatever a list is sorted by is never null', () => {
  const perhapsNull = resources.flatMap((resource) =>
    [...new Set([...sortFields(resource), resource.order.sort])]
      .filter((name) => !columnOf(resource, name)?.required)
      .filter((name) => !sortExpression(resource, name).startsWith('coalesce('))
      .map((name) => `${resource.plural}.${name}`),
  )
  assert.deepEqual(perhapsNull, [])
})

test('a resource that keeps removed records has a column for the moment of removal', () => {
  for (const resource of resources.filter(({ keptDays }) => keptDays !== undefined))
    assert.equal(columnOf(resource, 'deleted_at')?.required, false)
})

test('a resource whose length is kept has the three triggers that keep it', async () => {
  for (const { plural } of resources.filter(({ counted }) => counted)) {
    const rows = await database.db<{ name: string }[]>`
      select proname as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid = ${plural}::regclass and proname like 'note_list_%' and tgenabled = 'O' order by 1
    `
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['note_list_delete', 'note_list_insert', 'note_list_update'],
    )
  }
})

test('the record kept with a row is what the definition makes of the row, after every write', async () => {
  const { db } = database
  const site = { site_id: '0'.repeat(24) }
  const fields = db([...shownFields(catalog.videos)])
  const fresh = () => db<{ kept: string; made: string }[]>`
    select (select record from videos) as kept, ${db.unsafe(renderExpression(catalog.videos))} as made
    from (select ${fields} from videos) as videos
  `
  await db`insert into channels (_id, title) values (${site.site_id}, 'One')`
  await db`insert into videos ${db({ ...site, _id: '1'.repeat(24), title: 'A "title"', friendly_title: 'a' } as never)}`
  const writes = [
    db`select 1`,
    db`update videos set keywords = '{a,b}', purchase_price = 4.90, episode = 1.5, enable_at = now(), custom_attributes = '{"a": [1]}'`,
    db`update videos set deleted_at = now()`,
    db`update videos set deleted_at = null`,
  ]
  for (const write of writes) {
    await write
    const [row] = await fresh()
    assert.equal(row?.kept, row?.made)
    assert.deepEqual(Object.keys(JSON.parse(row?.kept ?? '{}') as object), shownFields(catalog.videos))
  }
})
