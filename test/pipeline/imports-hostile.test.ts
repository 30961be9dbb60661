import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import type { ImportJob } from '../../packages/server/src/films/film-jobs.js'
import { transfer } from '../../packages/server/src/films/imports/transfer.js'
import { roomOf } from '../../packages/server/src/films/quota.js'
import { importFilm } from '../../packages/server/src/jobs/import.job.js'
import { resumeImports } from '../../packages/server/src/jobs/resume-imports.job.js'
import { newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type FilmServer, startFilmServer } from '../support/film-server.js'
import { contextOf } from '../support/media.js'

/** A server that imports must not reach. It counts every connection. */
let forbidden: Server
let connections = 0
let port: number
let api: TestApi
let films: FilmServer
before(async () => {
  api = await startOwnApi()
  films = await startFilmServer()
  forbidden = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '::')
  await once(forbidden, 'listening')
  port = (forbidden.address() as AddressInfo).port
})
after(async () => {
  forbidden.close()
  await films.stop()
  await api.stop()
})

/** Creates an import and fetches it, as a worker without IMPORT_NETWORKS does. */
async function fetched(source_url: string, media = api.media) {
  const { video_imports } = api.as('admin')
  const made = await video_imports.create({ source_url })
  const [row] = await api.database.db<{ media_source_id: string }[]>`
    select media_source_id from video_imports where _id = ${made._id}
  `
  const payload = { site_id: made.site_id, import_id: made._id, media_source_id: row?.media_source_id ?? '' }
  await importFilm.run(payload, { ...contextOf(api), media })
  return { payload, record: await video_imports.get(made._id) }
}

test('no spelling of an inner address is ever connected to', async () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
    'localhost',
    'localhost.',
  ]) {
    const attempt = await fetched(`http://${host}:${port}/film.mp4`).catch((error: Error) => error)
    if (attempt instanceof Error) {
      assert.match(attempt.message, /is not on the public internet/, host)
      continue
    }
    const { record } = attempt
    assert.deepEqual([record.status, record.attempts], ['failed', 1], host)
    assert.match(record.status_reason ?? '', /not on the public internet|The name \S+ does not exist/, host)
    const video = await api.as('admin').videos.get(record.video_id ?? '')
    assert.equal(video.status_reason, 'The file could not be fetched from its address. Its import says why.')
  }
  assert.equal(connections, 0, 'the listener must see nothing')
})

const patient = { timeoutMs: 5000, idleMs: 2000, leastBytesPerSecond: 1000 }

/** Runs only the transfer, with limits short enough for a test. */
function fetch(media = api.media, source_url = films.url, limits: Partial<typeof patient> = {}, most = 1e9) {
  const film = { source_url, media_source_id: newUnguessableId(), validator: null, total_bytes: null }
  return transfer({ ...media, maxUploadBytes: most }, film, {
    ...patient,
    ...limits,
    signal: new AbortController().signal,
    room: () => roomOf(api.database.db, media, api.channel.channel._id),
    begun: async () => {},
    came: () => {},
  })
}

const here = () => ({ ...api.media, isReachable: (address: string) => address === '127.0.0.1' })

test('an allowed address does not redirect to a forbidden one', async () => {
  for (const host of ['[::1]', '127.0.0.2', '[::ffff:127.0.0.2]', '0.0.0.0']) {
    films.answer((_request, reply) => reply.writeHead(302, { location: `http://${host}:${port}/` }).end())
    await assert.rejects(fetch(here()), /is not on the public internet/)
    assert.equal(films.ranges.length, 1)
  }
  assert.equal(connections, 0, 'the listener must see nothing')
})

test('a body that comes byte by byte is given up', async () => {
  films.answer((_request, reply) => {
    const timer = setInterval(() => reply.write('x'), 20)
    reply.on('close', () => clearInterval(timer))
  })
  await assert.rejects(fetch(here(), films.url, { idleMs: 300 }), /too slowly/)
})

test('a body without an end is given up at the limit', async () => {
  films.answer((_request, reply) => {
    const more = () => {
      while (!reply.destroyed && reply.write(Buffer.alloc(65_536)));
    }
    reply.on('drain', more)
    more()
  })
  await assert.rejects(fetch(here(), films.url, {}, 3_000_000), /larger than the limit of 0.003 GB/)
})

test('a silent server and an endless film are given up', async () => {
  films.answer(() => {})
  await assert.rejects(fetch(here(), films.url, { idleMs: 200 }), /did not answer within 0.2 seconds/)
  films.answer((_request, reply) => {
    const timer = setInterval(() => reply.write(Buffer.alloc(10_000)), 20)
    reply.on('close', () => clearInterval(timer))
  })
  await assert.rejects(fetch(here(), films.url, { timeoutMs: 400 }), /took longer than 0.4 seconds/)
})

test('a film for which there is no room is not begun', async () => {
  let written = 0
  films.answer((_request, reply) => {
    reply.writeHead(200, { 'content-length': 1_000_000 })
    const timer = setInterval(() => {
      written += 1000
      reply.write(Buffer.alloc(1000))
    }, 5)
    reply.on('close', () => clearInterval(timer))
  })
  const storage = { ...api.media.storage, freeBytes: async () => 256 * 1_048_576 + 5000 }
  await assert.rejects(fetch({ ...here(), storage }), /disk of the media storage is full/)
  assert.ok(written < 1_000_000)
})

test('an import without room keeps no bytes, waits longer each time, and has as much time left as before', async () => {
  const { db } = api.database
  const body = Buffer.alloc(100_000)
  films.answer((_request, reply) => reply.end(body))
  const full = { ...api.media.storage, freeBytes: async () => 256 * 1_048_576 + 5000 }
  const { payload, record } = await fetched(films.url, { ...here(), storage: full })
  const pauses: number[] = []
  for (let tries = 0; tries < 3; tries += 1) {
    const [job] = await db<{ payload: ImportJob; pause: number }[]>`
      select payload, round(extract(epoch from held_until - video_imports.updated_at))::int as pause
      from graphile_worker._private_jobs, video_imports where key = ${`import:${record._id}`} and _id = ${record._id}
    `
    pauses.push(job?.pause ?? 0)
    for await (const { key } of api.media.storage.listUploads())
      assert.ok(!key.includes(payload.media_source_id), 'bytes are kept')
    // The installation was off for a month.
    await db`
      update video_imports set started_at = now() - interval '30 days', held_until = now() - interval '29 days 23 hours'
      where _id = ${record._id}
    `
    const media = tries === 2 ? here() : { ...here(), storage: full }
    await importFilm.run(job?.payload ?? payload, { ...contextOf(api), media })
  }
  assert.deepEqual(pauses, [5, 10, 20])
  const ended = await api.as('admin').video_imports.get(record._id)
  assert.deepEqual([ended.status, ended.bytes, ended.attempts], ['ready', body.length, 4])
  const [row] = await db<{ hours: number }[]>`
    select round(extract(epoch from now() - started_at) / 3600)::int as hours from video_imports where _id = ${record._id}
  `
  assert.equal(row?.hours, 1)
})

test('an import whose process was killed is taken up again', async () => {
  const { db } = api.database
  const { video_imports } = api.as('admin')
  const made = await video_imports.create({ source_url: 'https://films.example/film.mp4' })
  const waiting = () =>
    db`select from graphile_worker.jobs where key = ${`import:${made._id}`} and locked_at is null`
  await db`delete from graphile_worker._private_jobs where key = ${`import:${made._id}`}`

  await db`
    update video_imports set status = 'downloading', held_by = 'nobody', held_until = now() + interval '5 seconds'
    where _id = ${made._id}
  `
  await resumeImports.run({}, contextOf(api))
  assert.equal((await waiting()).length, 0)

  await db`update video_imports set held_until = now() - interval '1 minute' where _id = ${made._id}`
  await resumeImports.run({}, contextOf(api))
  assert.equal((await waiting()).length, 1)
})

test('an import that another process fetches is left to it, and looked at later', async () => {
  const { db } = api.database
  const { payload, record } = await fetched('http://127.0.0.1/film.mp4')
  await db`
    update video_imports set status = 'downloading', held_by = 'another', held_until = now() + interval '9 seconds'
    where _id = ${record._id}
  `
  await importFilm.run(payload, contextOf(api))
  const [row] = await db<{ held_by: string; attempts: number }[]>`
    select held_by, attempts from video_imports where _id = ${record._id}
  `
  assert.deepEqual([row?.held_by, row?.attempts], ['another', record.attempts])
  const [job] = await db<{ isLater: boolean }[]>`
    select run_at > now() as "isLater" from graphile_worker.jobs where key = ${`import:${record._id}`}
  `
  assert.equal(job?.isLater, true)
})
