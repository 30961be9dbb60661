import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { JobContext } from '../../packages/server/src/jobs/define-job.js'
import { refreshDue } from '../../packages/server/src/jobs/refresh-due.job.js'
import { refreshGuide } from '../../packages/server/src/jobs/refresh-guide.job.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { type FilmServer, startFilmServer } from '../support/film-server.js'
import { contextOf } from '../support/media.js'
import { ask } from './ask.js'

let api: TestApi
let server: FilmServer
before(async () => {
  api = await startOwnApi()
  server = await startFilmServer()
})
after(async () => {
  await server.stop()
  await api.stop()
})

const day = 24 * 3_600_000
const written = (at: number) => `${new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)} +0000`
const today = Math.floor(Date.now() / day) * day
const hourOf = (hours: number) => today + hours * 3_600_000

interface Show {
  readonly at: number
  readonly title: string
}
const xmltv = (...shows: Show[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE tv SYSTEM "xmltv.dtd"><tv>${shows
    .map(
      ({ at, title }) =>
        `<programme channel="one" start="${written(hourOf(at))}" stop="${written(hourOf(at + 1))}"><title>${title}</title></programme>`,
    )
    .join('')}</tv>`

const serve = (body: string | Buffer, status = 200) =>
  server.answer((_request, reply) => reply.writeHead(status, { 'content-type': 'text/xml' }).end(body))

const context = (): JobContext => ({
  ...contextOf(api),
  media: { ...api.media, isReachable: (address: string) => address === '127.0.0.1' },
})

const fields = (url = `${server.url}/guide.xml`) => ({
  name: 'One',
  url,
  language: ['en'],
  time_zone: 'Asia/Kolkata',
})

/** Reads the file of a guide, as a worker does. */
async function refreshed(_id: string, with_ = context()) {
  await refreshGuide.run({ site_id: api.channel.channel._id, guide_id: _id }, with_)
  return api.as('admin').program_guides.get(_id)
}

const waiting = async (_id: string) =>
  (await api.database.db`select from graphile_worker.jobs where key = ${`refresh-guide:${_id}`}`).length

for (const format of formats)
  test(`a guide is created, read from its file, and shows what is on when (${format})`, async () => {
    const { program_guides, program_guide_entries } = api.as('admin', format)
    const made = await program_guides.create(fields())
    assert.deepEqual([made.status, made.program_guide_entry_count, made.refreshed_at], ['created', 0, null])
    assert.equal(await waiting(made._id), 1)

    serve(xmltv({ at: 21, title: 'Late &amp; news' }, { at: 20, title: 'News' }))
    const read = await refreshed(made._id)
    assert.deepEqual([read.status, read.status_reason, read.program_guide_entry_count], ['synced', null, 2])
    const { response } = await api.as('app', format).program_guide_entries.list(made._id)
    const whole: object = response[0] ?? {}
    const first = response[0] ?? assert.fail()
    assert.deepEqual(whole, {
      _id: first._id,
      site_id: made.site_id,
      created_at: first.created_at,
      updated_at: first.updated_at,
      program_guide_id: made._id,
      title: 'News',
      subtitle: null,
      description: null,
      category: [],
      duration: 3600,
      start_time: new Date(hourOf(20)).toISOString(),
      end_time: new Date(hourOf(21)).toISOString(),
      start_time_with_offset: `${new Date(hourOf(25.5)).toISOString().slice(0, -1)}+05:30`,
      end_time_with_offset: `${new Date(hourOf(26.5)).toISOString().slice(0, -1)}+05:30`,
      time_zone: 'Asia/Kolkata',
    })
    const titles = async (query: object) =>
      (await program_guide_entries.list(made._id, query)).response.map(({ title }) => title)
    assert.deepEqual(await titles({ q: 'late' }), ['Late & news'])
    assert.deepEqual(await titles({ 'start_time.gte': new Date(hourOf(21)) }), ['Late & news'])
    assert.deepEqual(await titles({ 'end_time.lt': new Date(hourOf(22)) }), ['News'])
    assert.deepEqual(await titles({ title: 'News' }), ['News'])
    assert.deepEqual(await titles({ order: 'desc' }), ['Late & news', 'News'])

    assert.equal((await program_guides.update(made._id, { name: 'Two' })).name, 'Two')
    assert.deepEqual(
      (await program_guides.list({ title: 'Two' })).response.map(({ _id }) => _id),
      [made._id],
    )
    await program_guides.remove(made._id)
    await assert.rejects(program_guide_entries.list(made._id), {
      status: 404,
      message: 'Program guide not found',
    })
  })

test('entries keep their ids when the file changes; missing ones are removed, past ones stay for a week', async () => {
  const { program_guides, program_guide_entries } = api.as('admin')
  const { _id } = await program_guides.create(fields())
  serve(
    xmltv(
      { at: -24 * 8, title: 'Long ago' },
      { at: -30, title: 'Over' },
      { at: 20, title: 'A' },
      { at: 21, title: 'B' },
    ),
  )
  await refreshed(_id)
  const before = (await program_guide_entries.list(_id)).response
  assert.deepEqual(
    before.map(({ title }) => title),
    ['Over', 'A', 'B'],
  )

  serve(xmltv({ at: 20, title: 'A' }, { at: 22, title: 'C' }))
  const read = await refreshed(_id)
  const now = (await program_guide_entries.list(_id)).response
  assert.deepEqual(
    now.map(({ title }) => title),
    ['Over', 'A', 'C'],
  )
  assert.deepEqual(now[1], before[1])
  assert.equal(read.program_guide_entry_count, 3)
})

test('a file that cannot be read is reported, and earlier entries stay', async () => {
  const { program_guides, program_guide_entries } = api.as('admin')
  const { _id } = await program_guides.create(fields())
  serve(xmltv({ at: 20, title: 'News' }))
  await refreshed(_id)
  const large = `<tv>${' '.repeat(20_000_001)}</tv>`
  for (const [body, status, why] of [
    ['no', 404, /answered 404/],
    ['no', 500, /answered 500/],
    ['<html>', 200, /not well-formed/],
    ['<rss/>', 200, /not an XMLTV file/],
    ['<!DOCTYPE tv [<!ENTITY x SYSTEM "file:///etc/passwd">]><tv>&x;</tv>', 200, /declarations of its own/],
    [large, 200, /larger than the allowed/],
    [gzipSync(large), 200, /cannot be unpacked, or is larger/],
  ] as const) {
    serve(body, status)
    const { status: shown, status_reason } = await refreshed(_id)
    assert.equal(shown, 'failed')
    assert.match(status_reason ?? '', why)
  }
  const inner = await refreshed(_id, contextOf(api))
  assert.match(inner.status_reason ?? '', /not on the public internet/)
  assert.equal((await program_guide_entries.list(_id)).response.length, 1)
  serve(gzipSync(xmltv({ at: 20, title: 'Zipped' })))
  assert.equal((await refreshed(_id)).status, 'synced')
  assert.equal((await program_guide_entries.list(_id)).response[0]?.title, 'Zipped')
})

test('guides are read when due, on request, and after a change; a concurrent change wins', async () => {
  const { db } = api.database
  const { program_guides } = api.as('admin')
  const { _id } = await program_guides.create(fields())
  await db`select graphile_worker.remove_job(${`refresh-guide:${_id}`})`
  await refreshDue.run({}, context())
  assert.equal(await waiting(_id), 0)
  await db`update program_guides set refresh_at = now() where _id = ${_id}`
  await refreshDue.run({}, context())
  assert.equal(await waiting(_id), 1)
  await db`select graphile_worker.remove_job(${`refresh-guide:${_id}`})`
  await program_guides.refresh(_id)
  assert.equal(await waiting(_id), 1)

  server.answer((_request, reply) => {
    void program_guides
      .update(_id, { url: `${server.url}/other.xml` })
      .then(() => reply.writeHead(200).end(xmltv({ at: 20, title: 'Old' })))
  })
  assert.equal((await refreshed(_id)).program_guide_entry_count, 0)
})

test('disable_pagination returns all entries on one page', async () => {
  const { program_guides } = api.as('admin')
  const { _id } = await program_guides.create(fields())
  serve(xmltv(...Array.from({ length: 230 }, (_, at) => ({ at, title: `No. ${at}` }))))
  await refreshed(_id)
  const url = `${api.url}/program_guides/${_id}/entries?app_key=${api.channel.app_key}`
  const { body } = await ask(`${url}&disable_pagination=true`)
  assert.deepEqual([body.response.length, body.pagination.pages, body.pagination.next], [230, 1, null])
  assert.equal(body.response[229]?.title, 'No. 229')
  const paged = await ask(`${url}&disable_pagination=false&per_page=100&page=2`)
  assert.equal(paged.body.response.length, 30)
})

test('the fields of a guide are checked: URL, time zone, and videos of this channel', async () => {
  const { program_guides, videos } = api.as('admin')
  await assert.rejects(program_guides.create({ ...fields(), time_zone: 'Mars/Base' }), {
    status: 422,
    errors: { time_zone: ['is not a time zone'] },
  })
  await assert.rejects(program_guides.create(fields('http://a:b@guides.example/')), { status: 422 })
  await assert.rejects(program_guides.create({ name: 'x' } as never), {
    status: 422,
    errors: { url: ['is required'], language: ['is required'], time_zone: ['is required'] },
  })
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  const missing = { status: 404, message: 'Video not found' }
  await assert.rejects(program_guides.create({ ...fields(), video_ids: [theirs._id] }), missing)
  assert.deepEqual((await program_guides.list({ video_id: theirs._id })).response, [])
  const ours = await videos.create({ title: 'Live' })
  const { _id } = await program_guides.create({ ...fields(), video_ids: [ours._id] })
  const found = (await api.as('read_only').program_guides.list({ video_id: ours._id })).response
  assert.deepEqual(
    found.map((guide) => guide._id),
    [_id],
  )
  await api.database.db`delete from videos where _id = ${ours._id}`
  assert.deepEqual((await program_guides.get(_id)).video_ids, [])
})
