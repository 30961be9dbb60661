import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { newVideo } from './access-targets-videos.js'
import { ask } from './ask.js'

let api: TestApi
let worker: ReturnType<typeof openWorker>
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
})
after(async () => {
  await worker.stop()
  await api.stop()
})

const source_url = 'https://media.example/horse/es.m3u8'

for (const format of formats) {
  test(`a subtitle playlist is made by the name of its language and removed by its code (${format})`, async () => {
    const { subtitle_playlists } = api.as('admin', format)
    const video = await newVideo(api.channel)
    const made = await subtitle_playlists.create(video, { language: 'spanish', source_url })
    assert.deepEqual(
      [made.language, made.language_code, made.source_url, made.video_id],
      ['Spanish', 'es', source_url, video],
    )
    const brazilian = await subtitle_playlists.create(video, { language: 'pt_br', source_url })
    assert.deepEqual([brazilian.language, brazilian.language_code], ['Brazilian Portuguese', 'pt-BR'])
    assert.equal((await subtitle_playlists.list(video)).response.length, 2)
    assert.deepEqual(await subtitle_playlists.get(video, 'es'), made)
    await subtitle_playlists.remove(video, 'es')
    await subtitle_playlists.remove(video, brazilian._id)
    await assert.rejects(subtitle_playlists.remove(video, 'es'), {
      status: 404,
      message: 'Subtitle playlist not found',
    })
  })

  test(`a video has one subtitle playlist in each language (${format})`, async () => {
    const { subtitle_playlists } = api.as('admin', format)
    const video = await newVideo(api.channel)
    await subtitle_playlists.create(video, { language: 'French', source_url })
    await assert.rejects(subtitle_playlists.create(video, { language: 'fr', source_url }), {
      status: 422,
      errors: { language: ['is that of another subtitle playlist of this video'] },
    })
    await assert.rejects(subtitle_playlists.create(video, { language: 'Klingonese', source_url }), {
      status: 422,
      message: /language must be a language by its code/,
    })
    await assert.rejects(subtitle_playlists.create(video, { language: 'de', source_url: 'es.m3u8' }), {
      status: 422,
    })
  })

  test(`subtitle playlists of other videos and channels are not found (${format})`, async () => {
    const { subtitle_playlists } = api.as('admin', format)
    const [video, other] = [await newVideo(api.channel), await newVideo(api.channel)]
    const { _id } = await subtitle_playlists.create(video, { language: 'es', source_url })
    await assert.rejects(subtitle_playlists.get(other, 'es'), { status: 404 })
    const stranger = api.other.as('admin', format).subtitle_playlists
    await assert.rejects(stranger.remove(video, 'es'), { status: 404, message: 'Video not found' })
    const theirs = await newVideo(api.other)
    for (const named of ['es', _id]) await assert.rejects(stranger.remove(theirs, named), { status: 404 })
    assert.equal((await subtitle_playlists.get(video, _id)).language_code, 'es')
  })
}

test('the playlist of a video names them beside its own subtitles, and its page may load them', async () => {
  const { _id } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Harbour')
  await untilPrepared(api, _id)
  const { subtitle_playlists, subtitles } = api.as('admin')
  const file = Buffer.from('00:00:00,100 --> 00:00:00,900\nHola').toString('base64')
  await subtitles.create(_id, { language: 'es', file })
  await subtitle_playlists.create(_id, { language: 'Spanish', source_url })
  await subtitle_playlists.create(_id, { language: 'German', source_url: 'https://media.example/de.m3u8' })
  const key = `api_key=${api.channel.keys.player}`
  const master = await (await fetch(`${api.url}/manifest/${_id}.m3u8?${key}`)).text()
  const named = [...master.matchAll(/TYPE=SUBTITLES.*NAME="([^"]+)",LANGUAGE="([^"]+)".*URI="([^"]+)"/g)]
  assert.deepEqual(
    named.map(([, name, code, address]) => [name, code, new URL(address ?? '').host]),
    [
      ['Spanish', 'es', new URL(api.url).host],
      ['German', 'de', 'media.example'],
      ['Spanish (es)', 'es', 'media.example'],
    ],
  )
  const page = await fetch(`${api.url}/embed/${_id}.html?${key}`)
  assert.match(page.headers.get('content-security-policy') ?? '', /connect-src [^;]*https:/)
})

test('a form as existing clients send it creates a subtitle playlist', async () => {
  const video = await newVideo(api.channel)
  const { status, text } = await ask(
    `${api.url}/videos/${video}/subtitle_playlists/?api_key=${api.channel.keys.admin}`,
    'json',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `subtitle_playlist[source_url]=${source_url}&subtitle_playlist[language]=Spanish&`,
    },
  )
  assert.equal(status, 201, text)
})

const base64 = Buffer.from('00:00:01,000 --> 00:00:02,500\nGood morning\n').toString('base64')

for (const format of formats)
  test(`all cues of a subtitle can be shifted, but not before the film (${format})`, async () => {
    const { subtitles } = api.as('admin', format)
    const video = await newVideo(api.channel)
    const made = await subtitles.create(video, { language: 'en', file: base64, file_file_name: 'film.srt' })
    const later = await subtitles.shift(video, made._id, { seconds: 3601.25 })
    assert.notEqual(later.url, made.url)
    assert.deepEqual([later.extension_type, later.file_file_name], ['vtt', 'film.srt'])
    assert.match(await (await fetch(later.url)).text(), /^01:00:02\.250 --> 01:00:03\.750$/m)
    const back = await subtitles.shift(video, made._id, { seconds: -3601.25 })
    assert.match(await (await fetch(back.url)).text(), /^00:00:01\.000 --> 00:00:02\.500\nGood morning$/m)
    const why = 'must be -1 or more: its first line would begin before the video'
    await assert.rejects(subtitles.shift(video, made._id, { seconds: -1.001 }), {
      status: 422,
      errors: { seconds: [why] },
    })
    await assert.rejects(subtitles.shift(video, made._id, { seconds: 359_999 }), { status: 422 })
    await assert.rejects(subtitles.shift(video, made._id, {} as never), { status: 422 })
  })
