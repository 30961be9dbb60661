/** The sweep destroys no film that the database does not know. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { copyDatabase } from '../../packages/server/src/db/copy-database.js'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { keepRecord, readRecord } from '../../packages/server/src/db/records.js'
import { pictureKey } from '../../packages/server/src/films/pictures.js'
import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import { expireUploads } from '../../packages/server/src/jobs/expire-uploads.job.js'
import { purgeRemoved } from '../../packages/server/src/jobs/purge-removed.job.js'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { newId, newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import { setDeletionTime } from '../../packages/server/src/library/deletion-clock.js'
import { openLease, takeLease } from '../../packages/server/src/library/lease.js'
import { lookThrough } from '../../packages/server/src/library/look-through.js'
import { watchTrouble } from '../../packages/server/src/library/trouble.js'
import { segmentKey, sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { openFileStorage } from '../../packages/server/src/storage/file-storage.js'
import { storagesIn } from '../../packages/server/src/storage/two-places.js'
import { startApi, type TestApi } from '../support/api.js'
import { cloneDatabase } from '../support/database.js'
import { contextOf } from '../support/media.js'
import { addPublisher, signInAs } from '../support/publishers.js'

const dayMs = 24 * 3_600_000
let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const said: string[] = []
const context = (): JobContext => ({
  ...contextOf(api),
  log: { info: () => {}, warn: (_facts, message) => void said.push(message) },
})
const sweep = (options = {}) => sweepMedia.run({ youngest_ms: 0, ...options }, context())

beforeEach(async () => {
  said.length = 0
  const { db } = api.database
  for (const place of ['sources', 'pictures', 'segments', 'aside']) await api.media.storage.removeUnder(place)
  for (const table of ['sources', 'videos', 'ended_media', 'unknown_media', 'uploads'])
    await db`delete from ${db(table)}`
})

const put = (key: string, text: string) => api.media.storage.put(key, Readable.from([Buffer.from(text)]))
const keysUnder = async (prefix: string) => {
  const keys: string[] = []
  for await (const { key } of api.media.storage.list(prefix)) keys.push(key)
  return keys
}

/** Stores the files of a film, without a row. */
async function film(): Promise<string> {
  const _id = newUnguessableId()
  await put(sourceKey(_id), `film ${_id}`)
  await put(pictureKey(_id, 'poster-240-0123456789abcdef.jpg'), 'poster')
  await put(segmentKey(_id, 'hls_240p', 0), 'segment')
  return _id
}

/** Inserts the row of a film, as a restored database has it. */
async function record(_id: string): Promise<string> {
  const { db } = api.database
  const [site_id, video_id] = [api.channel.channel._id, newId()]
  const titles = { title: 'Film', friendly_title: video_id }
  await db`insert into videos ${db({ _id: video_id, site_id, media_source_id: _id, ...titles })}`
  await db`insert into sources ${db({ _id, site_id, video_id, bytes: 1, sha256: '' })}`
  return video_id
}

const films = async (count: number) => {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await film())
  return ids
}

/** Stores enough known films that one unknown film is a small share. */
async function library(): Promise<void> {
  for (const id of await films(20)) await record(id)
}

const aDayPasses = () => api.database.db`update unknown_media set seen_at = seen_at - interval '1 day'`
/** Makes everything look as if it had been set aside so many days ago, by the clock of the database. */
async function setAsideBefore(days: number): Promise<void> {
  const [row] = await api.database.db<{ day: string }[]>`
    select to_char(now() at time zone 'utc' - make_interval(days => ${days}), 'YYYY-MM-DD') as day
  `
  for (const key of await keysUnder('aside'))
    await api.media.storage.move(key, key.replace(/\d{4}-\d\d-\d\d/, row?.day ?? ''))
}
/** Returns the keys of what is set aside, without the day. */
const keysAside = async () =>
  (await keysUnder('aside')).map((key) => key.replace(/^aside\/unknown\/\d{4}-\d\d-\d\d\//, ''))

test('a film that the database does not know is set aside after a day, and comes back with its row', async () => {
  await library()
  const newer = await film()
  await sweep()
  await sweep()
  assert.equal((await keysUnder(`sources/${newer}`)).length, 1, 'it was only marked')

  await aDayPasses()
  await sweep()
  for (const place of ['sources', 'pictures', 'segments'])
    assert.deepEqual(await keysUnder(`${place}/${newer}`), [], place)
  assert.deepEqual(await keysAside(), [`pictures/${newer}/poster-240-0123456789abcdef.jpg`, sourceKey(newer)])
  assert.equal((await keysUnder('sources')).length, 20)

  await record(newer)
  await sweep()
  assert.deepEqual(await keysUnder('aside'), [])
  const object = await api.media.storage.read(sourceKey(newer))
  assert.equal(String(await object?.body.toArray()), `film ${newer}`)
  assert.equal((await keysUnder(`pictures/${newer}`)).length, 1)
  assert.deepEqual(said, [])
})

test('what was set aside is deleted after seven days, not before, whatever the clock of the machine', async (t) => {
  await library()
  await film()
  await sweep({ marked_ms: 0 })
  assert.equal((await keysUnder('aside')).length, 2)
  const later = Date.now() + 30 * dayMs
  t.mock.method(Date, 'now', () => later)
  await sweep({ youngest_ms: 1e12 })
  t.mock.restoreAll()
  assert.equal((await keysUnder('aside')).length, 2)
  await setAsideBefore(6)
  await sweep({ youngest_ms: 1e12 })
  assert.equal((await keysUnder('aside')).length, 2)
  await setAsideBefore(8)
  await sweep({ youngest_ms: 1e12 })
  assert.deepEqual(await keysUnder('aside'), [])
})

test('a film that is known again when its time is over is brought back, not deleted', async () => {
  await library()
  const newer = await film()
  await sweep({ marked_ms: 0 })
  await record(newer)
  await setAsideBefore(30)
  await sweep({ youngest_ms: 1e12 })
  assert.equal((await keysUnder(`sources/${newer}`)).length, 1)
})

test('more than 5 % unknown films stay until confirmed, with a warning everywhere', async () => {
  await library()
  const newer = await films(2)
  await sweep({ marked_ms: 0 })
  assert.equal((await keysUnder('sources')).length, 22)
  assert.match(said[0] ?? '', /^In the media storage, 2 of 22 films belong to no video of the database\./)
  assert.match(
    said[0] ?? '',
    /`zoetrope storage sweep` shows what would be done, and with --confirm does it\.$/,
  )

  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const { body } = await owner.call('GET', 'status', undefined, api.channel)
  assert.equal(body.storage.problem, said[0])
  assert.equal(api.media.trouble.seen(), said[0])
  assert.deepEqual(await (await fetch(`${api.url}/readyz`)).json(), { status: 'ready', warnings: [said[0]] })

  await sweep({ is_confirmed: true })
  assert.equal((await keysUnder('sources')).length, 20)
  for (const id of newer) assert.equal((await keysUnder(`sources/${id}`)).length, 0)
  assert.equal(await api.media.trouble.look(), undefined)
  assert.deepEqual(await (await fetch(`${api.url}/readyz`)).json(), { status: 'ready' })
})

test('a film that is newer than a database that was put back stays until that is adopted', async () => {
  await library()
  const clone = await cloneDatabase()
  const old = openDatabase({ connection: clone.connection, connections: 2 })
  try {
    await copyDatabase(api.database, old)
    const form = new FormData()
    form.set('source', new Blob(['the newest film']), 'newest.mp4')
    const reply = await fetch(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, {
      method: 'POST',
      body: form,
    })
    assert.equal(reply.status, 201, await reply.text())
    assert.equal((await keysUnder('sources')).length, 21)

    const media = { ...api.media, lease: await openLease(old.db, api.media.storage) }
    const sweepOld = (options = {}) =>
      sweepMedia.run({ youngest_ms: 0, marked_ms: 0, ...options }, { ...context(), database: old, media })
    for (const options of [{}, {}, { is_confirmed: true }]) await sweepOld(options)
    assert.equal((await keysUnder('sources')).length, 21)
    assert.match(said[0] ?? '', /^The database is older than the media storage: .* run `zoetrope adopt`/)
    const trouble = await watchTrouble(old.db, storagesIn(api.media.places))
    assert.equal(trouble.seen(), said[0])
    await sweep({ marked_ms: 0 })
    assert.equal((await keysUnder('sources')).length, 21, 'the newest database knows all films')

    await takeLease(old.db, api.media.storage)
    await sweepOld()
    assert.equal((await keysUnder('sources')).length, 20)
  } finally {
    await takeLease(api.database.db, api.media.storage)
    await old.close()
    await clone.drop()
  }
})

test('a clock that jumps ahead by a month empties neither the trash nor what is set aside', async () => {
  const { db } = api.database
  for (const id of await films(3)) await record(id)
  await library()
  await film()
  await db`update videos set deleted_at = now(), status = 'deleted' where _id in (select _id from videos limit 3)`
  await purgeRemoved.run({}, context())
  await sweep({ marked_ms: 0 })
  const aside = await keysUnder('aside')
  assert.equal(aside.length, 2)

  // Everything in the database is a month old all of a sudden, and so is what it has seen of its clock.
  await db`update videos set deleted_at = deleted_at - interval '31 days' where deleted_at is not null`
  const clock = JSON.parse((await readRecord(db, 'deletion_clock')) ?? '')
  const monthMs = 31 * dayMs
  await keepRecord(
    db,
    'deletion_clock',
    JSON.stringify({ time: clock.time - monthMs, seen: clock.seen - monthMs }),
  )
  await setAsideBefore(31)
  await purgeRemoved.run({}, context())
  await sweep({ youngest_ms: 1e12 })
  assert.equal((await db`select from videos where deleted_at is not null`).length, 3)
  assert.equal((await keysUnder('aside')).length, aside.length)
  assert.match((await api.media.trouble.look()) ?? '', /^The clock of the database has jumped ahead, or no/)

  await setDeletionTime(db)
  await purgeRemoved.run({}, context())
  await sweep({ youngest_ms: 1e12 })
  assert.equal((await db`select from videos where deleted_at is not null`).length, 0)
  assert.equal((await keysAside()).filter((key) => key.startsWith('sources/')).length, 3)
  assert.equal(await api.media.trouble.look(), undefined)
})

test('in a storage that has the id of another installation nothing is touched', async () => {
  await library()
  const { db } = api.database
  await film()
  const purged = await film()
  await record(purged)
  await db`delete from sources where _id = ${purged}`
  const upload = await api.media.storage.openUpload(sourceKey(newUnguessableId()))
  await upload.append(Readable.from([Buffer.from('half')]), 0)
  const [own] = await db<{ value: string }[]>`select value from installation where name = 'id'`
  await db`update installation set value = 'another' where name = 'id'`
  const everything = await keysUnder('')

  await sweep({ marked_ms: 0, is_confirmed: true })
  await expireUploads.run({}, context())
  assert.deepEqual(await keysUnder(''), everything)
  assert.equal(await upload.offset(), 4)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /^The media storage belongs to another installation than the database/)
  assert.match(said[0] ?? '', /`zoetrope adopt`\.$/)
  assert.equal(await api.media.trouble.look(), said[0])

  await api.media.storage.remove('installation.json')
  await sweep({ marked_ms: 0, is_confirmed: true })
  assert.match(said[1] ?? '', /^Nothing shows that the films in the media storage are those of the database/)
  await db`update installation set value = ${own?.value ?? ''} where name = 'id'`
  await put('installation.json', JSON.stringify({ id: own?.value }))
  await upload.abort()
})

test('any number of films of deleted videos are set aside without confirmation, and kept for a week', async () => {
  const { db } = api.database
  for (const id of await films(5)) await record(id)
  await db`update videos set deleted_at = now() - interval '31 days', status = 'deleted'`
  await sweep()
  assert.equal((await keysUnder('sources')).length, 5, 'a deleted video may come back for 30 days')

  await purgeRemoved.run({}, context())
  await sweepMedia.run({}, context())
  assert.deepEqual(await keysUnder('sources'), [])
  assert.equal((await keysAside()).filter((key) => key.startsWith('sources/')).length, 5)
  assert.deepEqual(said, [])
})

test('files of uploads and imports that are under way are known, and names that are no ids are left alone', async () => {
  await library()
  const { db } = api.database
  const site_id = api.channel.channel._id
  const [uploaded, imported] = (await films(2)) as [string, string]
  await put('sources/lost-found', 'of the disk')
  await db`insert into uploads ${db({ _id: newId(), site_id, source_id: uploaded, length: 9, metadata: '' })}`
  const made = await api.as('admin').video_imports.create({ source_url: 'https://films.example/a.mp4' })
  await db`update video_imports set media_source_id = ${imported} where _id = ${made._id}`
  await sweep({ marked_ms: 0, is_confirmed: true })
  assert.equal((await keysUnder('sources')).length, 23)
})

test('an upload that looks unfinished in an old backup takes no whole film with it', async () => {
  await library()
  const { db } = api.database
  const newer = await film()
  const upload = { _id: newId(), site_id: api.channel.channel._id, source_id: newer, length: 9, metadata: '' }
  await db`insert into uploads ${db({ ...upload, expires_at: new Date(0) })}`
  await expireUploads.run({}, context())
  assert.equal((await db`select from uploads`).length, 0)
  assert.equal((await keysUnder(`sources/${newer}`)).length, 1)
})

test('a large storage is read a page at a time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'zoetrope-many-'))
  const storage = await openFileStorage(root)
  const count = 1200
  for (let number = 0; number < count; number += 1) {
    const folder = join(root, 'objects/sources', number.toString(16).padStart(24, '0'))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'source'), '')
  }
  const pages: number[] = []
  const found = new Set<string>()
  const films = await lookThrough(api.database.db, storage, 0, async (unknown) => {
    pages.push(unknown.length)
    for (const { _id, kind } of unknown) if (kind === 'film') found.add(_id)
  })
  await rm(root, { recursive: true })
  assert.deepEqual([films, found.size], [count, count])
  assert.ok(Math.max(...pages) <= 500, pages.join())
})
