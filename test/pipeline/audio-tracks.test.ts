import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type ClipWish, makeClip } from '../support/clip.js'
import { readMaster } from '../support/hls.js'
import { contextOf, openWorker, uploadClip, uploadFilm } from '../support/media.js'
import { until } from '../support/patience.js'
import { joined, untilComplete } from './format-clips.js'

type AudioTrack = RecordOf<Catalog['audio_tracks']>

const film: ClipWish = {
  ...{ seconds: 6, size: '160x90', rate: '10', container: 'mkv' },
  voices: [
    { hertz: 400, language: 'eng', disposition: 'default' },
    { hertz: 800, language: 'deu' },
    { hertz: 1200, language: 'eng', disposition: 'visual_impaired' },
  ],
}
const french: ClipWish = {
  ...{ seconds: 6, codec: 'none', container: 'm4a' },
  voices: [{ hertz: 1600, language: 'fra' }],
}

let api: TestApi
let folder: string
let worker: { stop(): Promise<void> }
let id: string
before(async () => {
  api = await startOwnApi()
  await api.as('admin').formats.update({ mp4_360p: false, webm_360p: false })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-audio-'))
  worker = openWorker(api)
  id = (await uploadClip(api, await makeClip(film), 'Harbour'))._id
  await untilComplete(api, id)
})
after(async () => {
  await worker.stop()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

async function send(video: string, path: string, fields: Readonly<Record<string, string>> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(`audio_track[${name}]`, value)
  form.set('file', new Blob([await readFile(path)]), 'track.m4a')
  const reply = await fetch(`${api.url}/videos/${video}/audio_tracks?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: form,
  })
  const body = (await reply.json()) as { response: AudioTrack; message?: string }
  return { status: reply.status, track: body.response, message: body.message }
}

const tracksOf = async (video = id) =>
  (await api.as('admin').audio_tracks.list(video, { active: 'all', sort: 'created_at', order: 'asc' }))
    .response

const untilPrepared = (track: AudioTrack) =>
  until('the audio track', async () => {
    const now = await api.as('admin').audio_tracks.get(track.video_id, track._id)
    return now.status !== 'processing' && now
  })

async function soundsOf(video = id) {
  const { media } = await readMaster(`${api.url}/manifest/${video}.m3u8?api_key=${api.channel.keys.player}`)
  return media.filter(({ attributes }) => attributes.TYPE === 'AUDIO')
}

const namesOf = async (video = id) => (await soundsOf(video)).map(({ attributes }) => attributes.NAME)

/** The frequency of a tone, by its zero crossings. */
async function hertzOf(address: string): Promise<number> {
  const path = join(folder, 'tone.mp4')
  await writeFile(path, await joined(address))
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ac', '1', '-ar', '16000', '-ss', '1', '-t', '2', '-f', 's16le', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 1 << 24 },
  )
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length / 2)
  const crossings = samples.filter((value, index) => index > 0 && value < 0 !== (samples[index - 1] ?? 0) < 0)
  return (crossings.length / 2 / samples.length) * 16_000
}

test('the tracks of a film are listed, can be renamed and hidden, and cannot be deleted', async () => {
  const [main, german, described] = await tracksOf()
  assert.deepEqual(
    [main, german, described].map((track) => [track?.language, track?.kind, track?.default, track?.origin]),
    [
      ['en', 'main', true, 'film'],
      ['de', 'main', false, 'film'],
      ['en', 'description', false, 'film'],
    ],
  )
  const { audio_tracks } = api.as('admin')
  await audio_tracks.update(id, german?._id ?? '', { title: 'Deutsch', default: true })
  await audio_tracks.update(id, described?._id ?? '', { active: false })
  await until('the new playlist', async () => (await namesOf()).join() === 'Deutsch,English')
  assert.deepEqual(
    (await soundsOf()).map(({ attributes }) => attributes.DEFAULT),
    ['YES', 'NO'],
  )
  assert.equal((await tracksOf()).filter((track) => track.default).length, 1)
  await assert.rejects(
    audio_tracks.remove(id, main?._id ?? ''),
    /part of the video file.*set active to false/,
  )
  // Without another default, the main track of the film is played first.
  await audio_tracks.update(id, german?._id ?? '', { title: null, default: false })
  await audio_tracks.update(id, described?._id ?? '', { active: true })
  await until('the old playlist', async () => (await namesOf())[0] === 'English')
  await untilComplete(api, id)
})

test('an uploaded track is played, counted, hidden, encrypted, and swept up after it is deleted', async () => {
  const used = async () => (await api.as('admin').account.get()).storage_bytes ?? 0
  const before = await used()
  const { status, track } = await send(id, await makeClip(french), { language: 'French' })
  assert.deepEqual([status, track.language, track.origin, track.status], [201, 'fr', 'upload', 'processing'])
  const ready = await untilPrepared(track)
  assert.deepEqual([ready.status, ready.error, ready.notice, ready.channels], ['ready', null, null, 1])
  assert.equal(await used(), before + (track.bytes ?? 0))
  await until('the track', async () => (await namesOf()).includes('French'))
  await untilComplete(api, id)
  const sounds = await soundsOf()
  assert.deepEqual(
    sounds.map(({ attributes }) => attributes.NAME),
    ['English', 'German', 'English (audio description)', 'French'],
  )
  for (const [index, expected] of [400, 800, 1200, 1600].entries()) {
    const found = await hertzOf(sounds[index]?.address ?? '')
    assert.ok(Math.abs(found - expected) < 20, `${found} Hz instead of ${expected}`)
  }
  const [source] = (await api.as('admin').sources.list(id)).response
  const [windows] = await api.database.db<{ made: number }[]>`
    select count(made_at)::integer as made from media_windows
    where source_id = ${source?._id ?? ''} and track = ${`audio_${track._id}`}
  `
  assert.ok((windows?.made ?? 0) > 0, 'the rest of it is made in the background')

  await api.as('admin').account.update({ hls_encryption: true })
  const hidden = (await soundsOf()).at(-1)?.address ?? ''
  assert.match(await (await fetch(hidden)).text(), /#EXT-X-KEY:METHOD=AES-128/)
  await api.as('admin').account.update({ hls_encryption: false })

  const [row] = await api.database.db<{ file_id: string }[]>`
    select file_id from audio_tracks where _id = ${track._id}
  `
  const key = sourceKey(row?.file_id ?? '')
  await sweepMedia.run({ youngest_ms: 0, marked_ms: 0 }, contextOf(api))
  assert.ok(await api.media.storage.stat(key), 'the sweep knows the file')
  await api.as('admin').audio_tracks.remove(id, track._id)
  await until('the playlist without it', async () => !(await namesOf()).includes('French'))
  assert.equal(await used(), before)
  await sweepMedia.run({ youngest_ms: 0, marked_ms: 0 }, contextOf(api))
  assert.equal(await api.media.storage.stat(key), undefined)
  const unwanted = await api.database.db`
    select from unwanted_tracks where track = ${`audio_${track._id}`}
  `
  assert.equal(unwanted.length, 1)
})

test('uploaded tracks stay when the film is replaced, and those of the film go with it', async () => {
  const { _id } = await uploadClip(api, await makeClip({ ...film, seconds: 5 }), 'Lighthouse')
  await untilComplete(api, _id)
  const { track } = await send(_id, await makeClip(french), { default: 'true' })
  const { notice } = await untilPrepared(track)
  assert.match(notice ?? '', /^The audio is 1\.0 s longer than the video\. Its end is left out\.$/)
  await uploadFilm(api, await makeClip({ ...film, seconds: 7, voices: [{ hertz: 500, language: 'spa' }] }), {
    video_id: _id,
  })
  const kept = await until('the new film', async () => {
    const tracks = await tracksOf(_id)
    return tracks.length === 2 && tracks
  })
  assert.deepEqual(kept.map(({ origin, language }) => `${origin} ${language}`).toSorted(), [
    'film es',
    'upload null',
  ])
  const again = kept.find(({ origin }) => origin === 'upload')
  assert.equal(again?.default, true)
  assert.match(again?.notice ?? '', /^The audio is 1\.0 s shorter than the video, which ends in silence\.$/)
  await untilComplete(api, _id)
  await until('the new playlist', async () => (await namesOf(_id)).join() === 'Audio,Spanish')
  assert.ok(Math.abs((await hertzOf((await soundsOf(_id))[0]?.address ?? '')) - 1600) < 20)
})

test('a silent film gets its sound from an uploaded track', async () => {
  const silent = await makeClip({ seconds: 5, size: '160x90', rate: '10', audio: 'none' })
  const { _id } = await uploadClip(api, silent, 'Silent')
  await untilComplete(api, _id)
  await untilPrepared((await send(_id, await makeClip(french), { language: 'fr' })).track)
  await until('the track', async () => (await namesOf(_id)).join() === 'French')
  assert.ok(Math.abs((await hertzOf((await soundsOf(_id))[0]?.address ?? '')) - 1600) < 20)
})

test('files that cannot be the sound of the film fail with the reason', async () => {
  const text = join(folder, 'text.m4a')
  await writeFile(text, 'Dear reader, this is not audio.\n'.repeat(50))
  const notAudio = await untilPrepared((await send(id, text)).track)
  assert.deepEqual(
    [notAudio.status, notAudio.error],
    ['failed', 'The file is not a video or audio file that can be read here.'],
  )
  const mute = await makeClip({ seconds: 6, size: '160x90', rate: '10', audio: 'none' })
  assert.equal((await untilPrepared((await send(id, mute)).track)).error, 'The file has no audio.')
  const long = await makeClip({ ...french, seconds: 30 })
  assert.equal(
    (await untilPrepared((await send(id, long)).track)).error,
    'The audio lasts 30 seconds and the video 6 seconds. Upload audio of about the same length.',
  )
  assert.deepEqual(
    (await namesOf()).filter((name) => name === 'Audio'),
    [],
    'players are not offered what failed',
  )
})

test('requests without a file, or with wrong fields, are refused and leave no file', async () => {
  const filesNow = async () => {
    const names: string[] = []
    for await (const name of api.media.storage.names('sources')) names.push(name)
    return names.length
  }
  const before = await filesNow()
  const clip = await makeClip(french)
  const wrong = await send(id, clip, { language: 'Klingonese' })
  assert.deepEqual([wrong.status, /language must be/.test(wrong.message ?? '')], [422, true])
  assert.equal((await send('f'.repeat(24), clip)).status, 404)
  assert.equal(await filesNow(), before)
  const { audio_tracks } = api.as('admin')
  await assert.rejects(audio_tracks.create(id, { language: 'fr' }), /file is missing/)
  const file = (await readFile(clip)).toString('base64')
  const { _id } = await audio_tracks.create(id, { language: 'fr', file, file_file_name: 'fr.m4a' })
  await assert.rejects(audio_tracks.update(id, _id, { file }), /cannot be replaced/)
  await audio_tracks.remove(id, _id)
})
