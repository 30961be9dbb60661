import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expiryFrom, signAddress } from '../../packages/server/src/films/signed-address.js'
import { newId } from '../../packages/server/src/lib/object-id.js'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { logged, startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

let api: TestApi
let id: string
let source_id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 5 }), 'Harbour')
  id = _id
  assert.equal((await untilPrepared(api, id)).status, 'ready')
  await worker.stop()
  const [row] = await api.database.db`select media_source_id from videos where _id = ${id}`
  source_id = row?.media_source_id
})
after(() => api.stop())

const nobody = 'f'.repeat(24)
const player = () => `api_key=${api.channel.keys.player}`
const manifest = (video = id, query = player()) => fetch(`${api.url}/manifest/${video}.m3u8?${query}`)
const messageOf = async (reply: Response) => ((await reply.json()) as { message: string }).message
/** The playlists of renditions, each once. I-frame playlists are listed once the whole film is encoded. */
const addressesIn = (playlist: string) => [...new Set(playlist.match(/http:\/\/[^"\s]+index\.m3u8/g) ?? [])]
const claims = () => ({
  site_id: api.channel.channel._id,
  video_id: id,
  source_id,
  sees_hidden: false,
  consumer_id: '',
  client_facts: '',
  grant: '',
  encrypted: false,
  expires: expiryFrom(Date.now()),
})
const place = (more: object = {}) =>
  `${api.url}/media/${signAddress(api.parts.sealer, { ...claims(), ...more })}`

/** Returns the base URL of the clip's first track whose name begins with `begin`. */
async function trackAddress(begin: string): Promise<string> {
  const found = addressesIn(await (await manifest()).text()).find((url) => url.includes(`/${begin}`))
  return found?.replace(/index\.m3u8$/, '') ?? ''
}

test('every kind of credential gets the master playlist, with signed addresses', async () => {
  const { keys, app_key, consumer } = api.channel
  const { access_token } = await consumer()
  const kinds = ['admin', 'read_only', 'player'] as const
  const queries = [
    ...kinds.map((kind) => `api_key=${keys[kind]}`),
    `player_key=${keys.player}`,
    `app_key=${app_key}`,
    `access_token=${access_token}`,
  ]
  for (const query of queries) {
    const reply = await manifest(id, query)
    assert.equal(reply.status, 200, query.split('=')[0])
    assert.equal(reply.headers.get('content-type'), 'application/vnd.apple.mpegurl')
    assert.equal(reply.headers.get('cache-control'), 'private, no-store')
    const addresses = addressesIn(await reply.text())
    assert.ok(addresses.length >= 2)
    for (const address of addresses)
      assert.match(address.replace(api.url, ''), /^\/media\/[\w.-]+\/(hls_\d+p|audio)\/index\.m3u8$/)
  }
  const bare = await fetch(`${api.url}/manifest/${id}?${player()}`)
  assert.match(await bare.text(), /^#EXTM3U/)
})

test('no credential, a wrong one and two at once are refused', async () => {
  assert.equal((await manifest(id, '')).status, 401)
  assert.equal((await manifest(id, 'player_key=wrong')).status, 401)
  assert.equal((await manifest(id, `${player()}&player_key=${api.channel.keys.player}`)).status, 422)
  const post = await fetch(`${api.url}/manifest/${id}?${player()}`, { method: 'POST' })
  assert.equal(post.status, 405)
  assert.equal(post.headers.get('allow'), 'GET, HEAD')
})

test('unknown videos, and those of other channels, are not found', async () => {
  for (const video of [nobody, 'x', '%2e%2e'])
    assert.equal(await messageOf(await manifest(video)), 'Video not found')
  const other = await manifest(id, `api_key=${api.other.keys.admin}`)
  assert.equal(other.status, 404)
  assert.equal(await messageOf(other), 'Video not found')
})

/** Returns the number of packets that ffprobe reads from a playlist. */
async function packetsIn(playlist: string): Promise<number> {
  const wish = ['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'json']
  const { stdout } = await promisify(execFile)('ffprobe', [...wish, playlist])
  return Number(JSON.parse(stdout).streams[0].nb_read_packets)
}

test('ffmpeg reads every rendition, whole', async () => {
  const renditions = addressesIn(await (await manifest()).text())
  for (const rendition of renditions) {
    const packets = await packetsIn(rendition)
    if (rendition.includes('/audio/'))
      assert.ok(Math.abs(packets - (5 * 48_000) / 1024) <= 2, String(packets))
    else assert.equal(packets, 150)
  }
})

const maxAgeOf = ({ headers }: Response) =>
  Number(/^public, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '')?.[1])

test('segments are cacheable while their URL is valid, with an ETag and the right type', async () => {
  const [video, audio] = [await trackAddress('hls_'), await trackAddress('audio')]
  for (const [url, type] of [
    [`${video}init.mp4`, 'video/mp4'],
    [`${audio}init.mp4`, 'audio/mp4'],
    [`${video}0.m4s`, 'video/iso.segment'],
    [`${audio}0.m4s`, 'video/iso.segment'],
  ] as const) {
    const reply = await fetch(url)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-type'), type)
    const seconds = maxAgeOf(reply)
    assert.ok(seconds > 10 * 3600 && seconds <= 12 * 3600, `${seconds} seconds`)
    const bytes = Buffer.from(await reply.arrayBuffer())
    assert.equal(reply.headers.get('content-length'), String(bytes.length))
    const etag = reply.headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
    const head = await fetch(url, { method: 'HEAD' })
    assert.equal(head.headers.get('content-length'), String(bytes.length))
    assert.equal(head.headers.get('etag'), etag)
  }
  const ending = place({ expires: Date.now() + 600_000 })
  const seconds = maxAgeOf(await fetch(`${ending}/audio/0.m4s`))
  assert.ok(seconds > 0 && seconds <= 600, `${seconds} seconds`)
  const preview = await fetch(`${place({ sees_hidden: true })}/audio/0.m4s`)
  assert.match(preview.headers.get('cache-control') ?? '', /^private, /)
})

test('range requests follow HTTP', async () => {
  const url = `${await trackAddress('hls_')}0.m4s`
  const whole = await fetch(url)
  const etag = whole.headers.get('etag') ?? ''
  const bytes = Buffer.from(await whole.arrayBuffer())
  const size = bytes.length
  const part = (range: string, more = {}) => fetch(url, { headers: { range, ...more } })
  const cases: [string, number, number][] = [
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, size],
    ['bytes=-7', size - 7, size],
    [`bytes=5-${size * 2}`, 5, size],
    [`bytes=-${size * 2}`, 0, size],
  ]
  for (const [range, start, end] of cases) {
    const reply = await part(range)
    assert.equal(reply.status, 206, range)
    assert.equal(reply.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(start, end)), range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const reply = await part(range)
    assert.equal(reply.status, 416, range)
    assert.equal(reply.headers.get('content-range'), `bytes */${size}`)
    assert.equal(reply.headers.get('etag'), null)
  }
  for (const range of ['bytes=9-5', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
    assert.equal((await part(range)).status, 200, range)
  assert.equal((await part('bytes=0-9', { 'if-range': etag })).status, 206)
  assert.equal((await part('bytes=0-9', { 'if-range': '"other"' })).status, 200)
})

test('unknown tracks and segments return 404', async () => {
  assert.equal((await fetch(`${place()}/audio/index.m3u8`)).status, 200)
  const video = await trackAddress('hls_')
  for (const file of ['999.m4s', '00.m4s', '-1.m4s', '0.mp4', 'init.m4s', '..%2finit.mp4'])
    assert.equal((await fetch(video + file)).status, 404, file)
  for (const track of ['hls_9999p', '..', 'audio%2f..', '%00'])
    for (const file of ['index.m3u8', '0.m4s'])
      assert.equal((await fetch(`${place()}/${track}/${file}`)).status, 404, `${track}/${file}`)
})

test('an altered or expired URL, or one for something else, is refused', async () => {
  const video = await trackAddress('hls_')
  const [, token = ''] = /media\/([^/]+)/.exec(video) ?? []
  const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  const expired = place({ expires: Date.now() - 1 })
  for (const url of [video.replace(token, altered), video.replace(token, 'x'), `${expired}/audio/`])
    for (const file of ['index.m3u8', 'init.mp4', '0.m4s']) {
      const reply = await fetch(url + file)
      assert.equal(reply.status, 403)
      assert.match(await messageOf(reply), /^This address has expired/)
    }
  for (const other of [{ source_id: '' }, { source_id: nobody }, { site_id: api.other.channel._id }])
    assert.equal((await fetch(`${place(other)}/audio/0.m4s`)).status, 404)
  assert.equal((await fetch(`${api.url}/playback/${token}/status`)).status, 403)
})

test('a URL stops working when its video is unpublished, except for the admin key', async () => {
  const admin = `api_key=${api.channel.keys.admin}`
  assert.equal((await fetch(`${place()}/master.m3u8`)).status, 200)
  await api.as('admin').videos.update(id, { active: false })
  try {
    assert.equal((await manifest()).status, 404)
    const master = addressesIn(await (await manifest(id, admin)).text())
    assert.equal((await fetch(master[0] ?? '')).status, 200)
    let status = 200
    for (let tries = 0; tries < 300 && status === 200; tries += 1) {
      status = (await fetch(`${place()}/master.m3u8`)).status
      await delay(100)
    }
    assert.equal(status, 404)
  } finally {
    await api.as('admin').videos.update(id, { active: true })
  }
})

/** Creates a video with the plan of the clip and no encoded segments. Returns its source and the URL of its media. */
async function unmade(): Promise<{ readonly source: string; readonly url: string }> {
  const { _id: video_id } = await api.as('admin').videos.create({ title: 'Unmade' })
  const source = newId()
  const { db } = api.database
  await db`
    insert into sources (_id, site_id, video_id, bytes, sha256, plan)
    select ${source}, site_id, ${video_id}, 0, '', plan from sources where _id = ${source_id}
  `
  await db`update videos set media_source_id = ${source}, status = 'ready' where _id = ${video_id}`
  return { source, url: place({ source_id: source, video_id }) }
}

test('a segment that cannot be made returns an error with a reason', async () => {
  const { source, url } = await unmade()
  await api.database.db`
    insert into media_windows (source_id, track, number, failures, error)
    values (${source}, 'audio', 0, 100, 'The file is damaged, or not a video.')
  `
  const reply = await fetch(`${url}/audio/0.m4s`)
  assert.equal(reply.status, 500)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.match(await messageOf(reply), /could not be made\. The file is damaged/)
})

async function isBeingMade(source: string): Promise<void> {
  const { db } = api.database
  for (let tries = 0; tries < 5000; tries += 1) {
    const [row] = await db`select from media_windows where source_id = ${source} and holder is not null`
    if (row) return
    await delay(2)
  }
}

test('a segment is still made when its viewer disconnects, who is then forgotten', async () => {
  const { source, url } = await unmade()
  const clip = createReadStream(await makeClip({ seconds: 5 }))
  await api.media.storage.put(sourceKey(source), clip)
  const track = /hls_\d+p/.exec(await (await fetch(`${url}/master.m3u8`)).text())?.[0]
  const before = logged.length
  // After an abort, fetch opens another connection, which keeps the server from stopping.
  const asked = get(`${url}/${track}/0.m4s`, { agent: false })
  const broken = once(asked, 'error')
  await isBeingMade(source)
  asked.destroy(new Error('I have to go'))
  await broken
  const reply = await fetch(`${url}/${track}/0.m4s`)
  assert.equal(reply.status, 200)
  assert.ok((await reply.arrayBuffer()).byteLength > 0)
  const levels = logged.slice(before).map((line) => JSON.parse(line).level)
  assert.ok(
    levels.every((level) => level <= 30),
    String(levels),
  )
})

test('audio=true plays only the sound', async () => {
  const reply = await fetch(`${api.url}/embed/${id}?${player()}&audio=true`)
  const { response } = (await reply.json()) as { response: { body: { outputs: { url: string }[] } } }
  const url = response.body.outputs[0]?.url ?? ''
  assert.match(url, /\/sound\.m3u8$/)
  const playlist = await (await fetch(url)).text()
  assert.match(playlist, /CODECS="mp4a\.40\.2"/)
  assert.doesNotMatch(playlist, /RESOLUTION/)
  const [address = ''] = playlist.match(/^http.+$/m) ?? []
  assert.equal((await fetch(address)).status, 200)
})
