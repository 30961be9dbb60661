import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

const file = (text: string) => Buffer.from(`1\n00:00:00,500 --> 00:00:01,500\n${text}\n`).toString('base64')

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  id = (await uploadClip(api, await makeClip({ seconds: 2 }), 'Film'))._id
  await untilPrepared(api, id)
  await worker.stop()
})
after(() => api.stop())

const manifest = async () => {
  const reply = await fetch(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)
  return reply.text()
}
const renditions = async () => (await manifest()).match(/^#EXT-X-MEDIA:TYPE=SUBTITLES.*$/gm) ?? []
const addressIn = (line = '') => /URI="([^"]+)"/.exec(line)?.[1] ?? ''

interface Embedded {
  readonly response: { readonly body: { readonly subtitles: readonly Record<string, unknown>[] } }
}
const embedded = async () => {
  const reply = await fetch(`${api.url}/embed/${id}?api_key=${api.channel.keys.player}`)
  return ((await reply.json()) as Embedded).response.body.subtitles
}

test('a subtitle is a rendition of its video from the next request on, and until it is taken away', async () => {
  const { subtitles } = api.as('admin')
  assert.deepEqual(await renditions(), [])
  assert.doesNotMatch(await manifest(), /SUBTITLES/)

  const english = await subtitles.create(id, { language: 'en', file: file('Hello') })
  await subtitles.create(id, { language: 'fr', file: file('Secret'), active: false })
  const german = await subtitles.create(id, { language: 'de', file: file('Hallo'), default: true })
  const [first, second, ...rest] = await renditions()
  assert.match(first ?? '', /NAME="German",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,/)
  assert.match(second ?? '', /NAME="English",LANGUAGE="en",DEFAULT=NO,/)
  assert.deepEqual(rest, [])
  const streams = (await manifest()).match(/^#EXT-X-STREAM-INF.*$/gm) ?? []
  assert.ok(streams.length > 0 && streams.every((line) => line.includes('SUBTITLES="subtitles"')))

  const list = await (await fetch(addressIn(second))).text()
  assert.match(
    list,
    /#EXT-X-TARGETDURATION:2\n[\s\S]*#EXTINF:2\.\d+,\nhls-[0-9a-f]{32}\.vtt\n#EXT-X-ENDLIST\n$/,
  )
  const segment = new URL(/^\S+\.vtt$/m.exec(list)?.[0] ?? '', addressIn(second))
  const reply = await fetch(segment)
  assert.equal(reply.headers.get('content-type'), 'text/vtt; charset=utf-8')
  assert.equal(
    await reply.text(),
    'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00:00.500 --> 00:00:01.500\nHello\n',
  )

  await subtitles.update(id, english._id, { file: file('Good day'), title: 'British' })
  const changed = (await renditions()).find((line) => line.includes('LANGUAGE="en"'))
  assert.match(changed ?? '', /NAME="British"/)
  assert.match(
    await (await fetch(addressIn(changed))).text(),
    new RegExp(`^(?!${segment.pathname.split('/').at(-1)})`),
  )
  const late = await fetch(segment)
  assert.deepEqual(
    [late.headers.get('cache-control'), /Good day/.test(await late.text())],
    ['no-store', true],
  )

  await subtitles.remove(id, english._id)
  assert.equal((await renditions()).length, 1)
  assert.equal((await fetch(segment)).status, 404)
  await subtitles.remove(id, german._id)
  assert.deepEqual(await renditions(), [])
})

test('players that load subtitles themselves find signed addresses', async () => {
  const { subtitles } = api.as('admin')
  const made = await subtitles.create(id, { language: 'en', file: file('Hello'), forced: true })
  const [told, ...rest] = await embedded()
  assert.deepEqual(rest, [])
  const { file: address, url, ...facts } = told ?? {}
  assert.deepEqual(facts, {
    label: 'English (forced)',
    language: 'en',
    default: false,
    forced: true,
    format: 'vtt',
  })
  assert.equal(url, address)
  assert.match(await (await fetch(String(address))).text(), /^WEBVTT\n\n00:00:00\.500 [\s\S]*Hello/)

  const other = String(address).replace(made._id, '0'.repeat(24))
  assert.equal((await fetch(other)).status, 404)
  assert.equal((await fetch(String(address).replace(/[0-9a-f]{32}\.vtt/, '..%2findex.m3u8'))).status, 404)
  assert.equal((await fetch(String(address).replace(/\/media\/./, '/media/_'))).status, 403)
  await api.as('admin').videos.update(id, { active: false })
  const hidden = await fetch(String(address))
  await api.as('admin').videos.update(id, { active: true })
  assert.ok([200, 404].includes(hidden.status))
  await subtitles.remove(id, made._id)
})

test('another program reads the cues at their times', async () => {
  const { subtitles } = api.as('admin')
  const made = await subtitles.create(id, { language: 'en', file: file('Hello'), default: true })
  const [told] = await embedded()
  const { stdout } = await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-f', 'webvtt', '-i', String(told?.file), '-f', 'srt', 'pipe:1'],
  ])
  assert.equal(stdout.trim(), '1\n00:00:00,500 --> 00:00:01,500\nHello')
  await subtitles.remove(id, made._id)
})
