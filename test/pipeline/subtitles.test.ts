import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { enqueueSubtitles } from '../../packages/server/src/films/film-jobs.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip, uploadFilm } from '../support/media.js'
import { until } from '../support/patience.js'

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

const lines = (text: string) =>
  `1\n00:00:00,000 --> 00:00:00,400\nBegin\n\n2\n00:00:00,500 --> 00:00:01,500\n${text}\n\n3\n00:00:01,600 --> 00:00:01,900\nEnd\n`

/** A film with two subtitles as text inside. */
async function filmWithSubtitles(folder: string, container: 'mkv' | 'mp4'): Promise<string> {
  const [english, german] = ['Hello <b>you</b>', 'Hallo'].map((text, index) => ({
    path: join(folder, `${index}.srt`),
    text,
  })) as [{ path: string; text: string }, { path: string; text: string }]
  for (const { path, text } of [english, german]) await writeFile(path, lines(text))
  const target = join(folder, `film.${container}`)
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-y', '-i', await makeClip({ seconds: 2 }), '-i', english.path, '-i', german.path],
    ...['-map', '0', '-map', '1', '-map', '2', '-c', 'copy'],
    ...[
      '-c:s:0',
      container === 'mkv' ? 'ass' : 'mov_text',
      '-c:s:1',
      container === 'mkv' ? 'subrip' : 'mov_text',
    ],
    ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:0', 'title=English for all'],
    ...[
      '-metadata:s:s:1',
      'language=deu',
      '-disposition:s:0',
      '0',
      '-disposition:s:1',
      'default+forced',
      target,
    ],
  ])
  return target
}

test('subtitles inside a film become subtitles of its video, once', async () => {
  const { subtitles, sources, videos } = api.as('admin')
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-subtitles-'))
  const worker = openWorker(api)
  try {
    for (const container of ['mkv', 'mp4'] as const) {
      const { _id } = await uploadClip(api, await filmWithSubtitles(folder, container), container)
      await untilPrepared(api, _id)
      const listed = async () =>
        (await subtitles.list(_id, { active: 'all', sort: 'created_at', order: 'asc' })).response
      const found = await until('The subtitles', async () => {
        const response = await listed()
        return response.length > 0 && response
      })
      const titled = container === 'mkv' ? 'English for all' : 'English'
      assert.deepEqual(
        found.map((each) => [each.language, each.title, each.default, each.forced, each.active]),
        [
          ['en', titled, false, false, true],
          ['de', 'German (forced)', true, true, true],
        ],
      )
      const text = await (await fetch(found[0]?.url ?? '')).text()
      // The container moves all by the lead of the sound. A line that would begin before the first picture begins with it.
      assert.match(text, /^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.4\d\d\nBegin\n/)
      assert.match(text, /\n00:00:00\.500 --> 00:00:01\.500\nHello <b>you<\/b>\n/)
      assert.match(text, /\n00:00:01\.600 --> 00:00:01\.900\nEnd\n/)

      // A deleted one does not come back when the job runs again, whether alone or with the whole film.
      await subtitles.remove(_id, found[0]?._id ?? '')
      const [row] = await api.database.db`select _id, site_id from sources where video_id = ${_id}`
      await enqueueSubtitles(api.database.db, { site_id: row?.site_id, source_id: row?._id })
      await until('The job', async () => {
        const jobs = await api.database
          .db`select from graphile_worker.jobs where task_identifier = 'subtitles'`
        return jobs.length === 0
      })
      assert.equal((await listed()).length, 1)
      // Another film with the same tracks leaves what is there.
      await uploadFilm(api, await filmWithSubtitles(folder, container), { video_id: _id })
      const replaced = await until('The other film', async () => {
        const { response } = await sources.list(_id)
        const current = response.find((source) => source.current && source._id !== row?._id)
        return current?.notice && (await listed()).length === 2 ? current : undefined
      })
      assert.equal(
        replaced.notice,
        'Subtitles left out: number 2 (German), because the video has subtitles called "German (forced)" already.',
      )
      assert.equal((await videos.get(_id)).status, 'ready')
    }
  } finally {
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
