import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { signAddress } from '../../packages/server/src/films/signed-address.js'
import { jobs } from '../../packages/server/src/jobs/index.js'
import { openPlayReports, type PlayReports } from '../../packages/server/src/playback/play-reports.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { until } from '../support/patience.js'

let api: TestApi
let reports: PlayReports
before(async () => {
  api = await startOwnApi()
  reports = openPlayReports(api.database, (error) => assert.fail(String(error)))
})
after(async () => {
  await reports.close()
  await api.stop()
})

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36'
const newVideo = async (title = 'Watched') => (await api.as('admin').videos.create({ title }))._id
const newPlay = () => randomUUID()

interface Analytics {
  readonly beacon?: string
  readonly dimensions?: object
}
async function analyticsOf(id: string, headers = {}): Promise<Analytics> {
  const reply = await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`, { headers })
  const { response } = (await reply.json()) as { response: { body: { analytics: Analytics } } }
  return response.body.analytics
}
const beaconOf = async (id: string) => (await analyticsOf(id)).beacon ?? ''

const tell = (beacon: string, report: object | string, headers: Record<string, string> = {}) =>
  fetch(beacon, {
    method: 'POST',
    body: typeof report === 'string' ? report : JSON.stringify(report),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': chrome, ...headers },
  })
const sum = () => jobs.find(({ name }) => name === 'sum-plays')?.run({}, { database: api.database } as never)
const playsOf = async (video_id: string) => (await api.as('admin').plays.list({ video_id })).response
const totalsOf = async (video_id: string) =>
  (await playsOf(video_id)).map(({ device, plays, finished, watched_seconds }) => [
    device,
    plays,
    finished,
    watched_seconds,
  ])
const written = async (play: string) => {
  for (let tries = 0; tries < 1000; tries += 1) {
    const [row] = await api.database.db`select from play_reports where play = ${play}`
    if (row) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('The report was never written.')
}

test('a player on another site reports a play, and it is counted by day and kind of device', async () => {
  const id = await newVideo('The gallop')
  const beacon = await beaconOf(id)
  const [first, second] = [newPlay(), newPlay()]
  const reply = await tell(beacon, { play: first, watched: 0 }, { origin: 'https://elsewhere.example' })
  assert.equal(reply.status, 204)
  assert.equal(reply.headers.get('access-control-allow-origin'), 'https://elsewhere.example')
  assert.equal((await tell(beacon, { play: first, watched: 3.4, ended: true })).status, 204)
  assert.equal((await tell(beacon, { play: second, watched: 2, device: 'tv' })).status, 204)
  await written(second)
  assert.deepEqual(await playsOf(id), [])

  await sum()

  const today = new Date().toISOString().slice(0, 10)
  for (const format of formats) {
    const { response } = await api.as('admin', format).plays.list({ video_id: id, device: 'desktop' })
    const [made] = response
    assert.ok(made)
    assert.deepEqual(response, [
      {
        _id: made._id,
        site_id: api.channel.channel._id,
        created_at: made.created_at,
        updated_at: made.updated_at,
        video_id: id,
        video_title: 'The gallop',
        date: `${today}T00:00:00.000Z`,
        device: 'desktop',
        plays: 1,
        finished: 1,
        watched_seconds: 3,
      },
    ])
    assert.deepEqual(await api.as('admin', format).plays.get(made._id), made)
  }
  assert.deepEqual((await totalsOf(id)).sort(), [
    ['desktop', 1, 1, 3],
    ['tv', 1, 0, 2],
  ])
})

test('reports that come twice, late, or to several servers count once', async () => {
  const id = await newVideo()
  const of = { site_id: api.channel.channel._id, video_id: id }
  const other = openPlayReports(api.database, (error) => assert.fail(String(error)))
  const play = newPlay()
  const began = Date.now() - 60_000
  const say = (to: PlayReports, watched: number, ended = false) =>
    to.add(of, { play, watched, ended, device: 'phone' }, began + watched * 1000)
  say(reports, 0)
  say(reports, 10)
  await reports.flush()
  await sum()
  assert.deepEqual(await totalsOf(id), [['phone', 1, 0, 10]])

  say(other, 30)
  say(reports, 30)
  say(reports, 20)
  await Promise.all([other.close(), reports.flush()])
  await Promise.all([sum(), sum()])
  assert.deepEqual(await totalsOf(id), [['phone', 1, 0, 30]])

  say(reports, 40, true)
  await reports.flush()
  await sum()
  say(reports, 10)
  say(reports, 40, true)
  await reports.flush()
  await sum()
  assert.deepEqual(await totalsOf(id), [['phone', 1, 1, 40]])
})

test('the watched time never exceeds the time since the play began', async () => {
  const id = await newVideo()
  const of = { site_id: api.channel.channel._id, video_id: id }
  const [play, began] = [newPlay(), Date.now()]
  const say = (watched: number, after: number) =>
    reports.add(of, { play, watched, ended: false, device: 'desktop' }, began + after * 1000)
  say(1e12, 0)
  await reports.flush()
  await sum()
  assert.deepEqual(await totalsOf(id), [['desktop', 1, 0, 5]])
  say(1e12, 60)
  await reports.flush()
  await sum()
  assert.deepEqual(await totalsOf(id), [['desktop', 1, 0, 65]])
})

test('only viewers who may watch can report, with limits on size and rate', async () => {
  const id = await newVideo()
  const beacon = await beaconOf(id)
  const report = { play: newPlay(), watched: 1 }
  const token = /playback\/([^/]+)\/plays$/.exec(beacon)?.[1] ?? ''
  const claims = {
    site_id: api.channel.channel._id,
    video_id: id,
    source_id: '',
    consumer_id: '',
    client_facts: '',
    grant: '',
  }
  const sign = (more: object) =>
    signAddress(api.parts.sealer, {
      ...claims,
      sees_hidden: false,
      encrypted: false,
      expires: Date.now() + 60_000,
      ...more,
    })
  // Tokens of films, as in the URLs of feeds, are not valid for reports of players.
  const [expired, ofFilm] = [sign({ expires: Date.now() - 1 }), sign({ source_id: id })]
  for (const wrong of [`${token.slice(0, -1)}x`, token.slice(4), 'x', expired, ofFilm])
    assert.equal((await tell(beacon.replace(token, wrong), report)).status, 403)
  for (const bad of [
    '',
    'null',
    '[]',
    '{"play":',
    {},
    { play: 'short' },
    { play: `${newPlay()} or 1=1` },
    { ...report, watched: -1 },
    { ...report, watched: '5' },
    '{"play":"0123456789abcdef","watched":1e999}',
    { ...report, ended: 'yes' },
    { ...report, device: 'fridge' },
  ])
    assert.equal((await tell(beacon, bad)).status, 422, JSON.stringify(bad))
  assert.equal((await tell(beacon, { ...report, more: 'x'.repeat(2000) })).status, 413)
  const read = await fetch(beacon)
  assert.deepEqual([read.status, read.headers.get('allow')], [405, 'POST'])

  const tellMany = () =>
    Promise.all(Array.from({ length: 700 }, () => tell(beacon, { ...report, watched: 2 })))
  let answers = await tellMany()
  assert.ok(answers.some(({ status }) => status === 204))
  // A slow machine may need several rounds to exceed the limit per minute.
  const refused = await until('A refusal', async () => {
    const found = answers.find(({ status }) => status === 429)
    if (!found) answers = await tellMany()
    return found
  })
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
})

test('a viewer who asks not to be tracked is not counted, where the channel respects that', async () => {
  const id = await newVideo()
  const page = async (headers: Record<string, string>) =>
    (await fetch(`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}`, { headers })).text()
  assert.ok((await analyticsOf(id, { dnt: '1' })).beacon)
  assert.match(await page({ dnt: '1' }), / beacon="/)

  await api.as('admin').account.update({ respect_do_not_track: true })

  for (const headers of [{ dnt: '1' }, { 'sec-gpc': '1' }] as Record<string, string>[]) {
    assert.deepEqual(await analyticsOf(id, headers), {})
    assert.doesNotMatch(await page(headers), / beacon="/)
  }
  assert.deepEqual((await analyticsOf(id, { dnt: '0' })).dimensions, {
    video_id: id,
    site_id: api.channel.channel._id,
  })
})

test('plays are found by day, video and device, and outlive the reports and the video', async () => {
  const { db } = api.database
  const id = await newVideo()
  const of = { site_id: api.channel.channel._id, video_id: id }
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
    reports.add(
      of,
      { play: newPlay(), watched: 1, ended: false, device: 'tablet' },
      Date.parse(`${day}T23:59:59Z`),
    )
  await reports.flush()
  await sum()
  assert.equal((await db`select from play_reports where video_id = ${id}`).length, 0)
  const days = async (query: string) => {
    const reply = await fetch(
      `${api.url}/plays?api_key=${api.channel.keys.admin}&video_id=${id}&order=asc&${query}`,
    )
    const { response } = (await reply.json()) as { response: { date: string }[] }
    return response.map(({ date }) => Number(date.slice(8, 10)))
  }
  assert.deepEqual(await days('sort=date'), [1, 2, 3])
  assert.deepEqual(await days('sort=date&from=2026-01-02'), [2, 3])
  assert.deepEqual(await days('sort=date&from=2026-01-01&to=2026-01-02'), [1, 2])
  assert.deepEqual(await days('date=2026-01-03'), [3])
  assert.deepEqual(await days('device=tv'), [])
  const elsewhere = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
  await assert.rejects(api.as('admin').plays.list({ video_id: elsewhere }), { status: 404 })
  assert.deepEqual((await api.other.as('admin').plays.list()).response, [])
  const bad = await fetch(`${api.url}/plays?api_key=${api.channel.keys.admin}&from=yesterday`)
  assert.equal(bad.status, 422)

  await db`delete from videos where _id = ${id}`
  const { response } = await api.as('admin').plays.list({ 'date.lte': '2026-01-31' })
  assert.deepEqual(
    response.map(({ video_id, video_title }) => [video_id, video_title]),
    [1, 2, 3].map(() => [id, null]),
  )
})
