import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createClient, type ZoetropeError } from '@zoetrope/sdk'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

const srt = '1\n00:00:01,000 --> 00:00:02,500\nGood <i>morning</i> & <script>welcome</script>\n'
const vtt =
  'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGood <i>morning</i> &amp; &lt;script&gt;welcome&lt;/script&gt;\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const file = base64(srt)

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newVideo = async () => (await api.as('admin').videos.create({ title: 'Film' }))._id
const place = (video: string, rest = '') =>
  `${api.url}/videos/${video}/subtitles${rest}?api_key=${api.channel.keys.admin}`

for (const format of formats)
  test(`a subtitle can be made, read, changed and removed (${format})`, async () => {
    const { subtitles } = api.as('admin', format)
    const video = await newVideo()
    const made = await subtitles.create(video, { language: 'EN', file })
    assert.deepEqual(made, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      video_id: video,
      language: 'en',
      title: 'English',
      active: true,
      default: false,
      forced: false,
      extension_type: 'srt',
      file_file_name: null,
      file_content_type: 'application/x-subrip',
      file_file_size: srt.length,
      file_fingerprint: createHash('md5').update(srt).digest('hex'),
      file_updated_at: made.file_updated_at,
      url: made.url,
    })
    const reply = await fetch(made.url)
    assert.equal(reply.headers.get('content-type'), 'text/vtt; charset=utf-8')
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(await reply.text(), vtt)

    const changed = await subtitles.update(video, made._id, { language: 'pt_br', forced: true })
    assert.deepEqual(changed, {
      ...made,
      language: 'pt-BR',
      forced: true,
      title: 'Brazilian Portuguese (forced)',
      updated_at: changed.updated_at,
    })
    const named = await subtitles.update(video, made._id, { title: 'Signs' })
    assert.equal((await subtitles.update(video, made._id, { language: 'de' })).title, 'Signs')
    assert.equal(named.url, made.url)

    const text = 'WEBVTT\n\n00:03.000 --> 00:04.000\nOther\n'
    const replaced = await subtitles.update(video, made._id, { file: base64(text) })
    assert.deepEqual([replaced.extension_type, replaced.file_content_type], ['vtt', 'text/vtt'])
    assert.notEqual(replaced.url, made.url)
    assert.match(await (await fetch(replaced.url)).text(), /Other/)
    assert.equal((await fetch(made.url)).status, 404)
    assert.deepEqual((await subtitles.list(video)).response, [replaced])

    await subtitles.remove(video, made._id)
    await assert.rejects(subtitles.get(video, made._id), { status: 404, message: 'Subtitle not found' })
    assert.equal((await fetch(replaced.url)).status, 404)
  })

test('a record that was read may be sent back', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const made = await subtitles.create(video, { language: 'fr', file, default: true })
  const same = await subtitles.update(video, made._id, { ...made, extension_type: 'vtt' })
  assert.deepEqual(same, { ...made, updated_at: same.updated_at })
})

test('the file may be a part of a multipart body, wrapped or not, or a form field', async () => {
  const video = await newVideo()
  for (const [language, prefix] of [
    ['en', true],
    ['de', false],
  ] as const) {
    const form = new FormData()
    const name = (field: string) => (prefix ? `subtitle[${field}]` : field)
    form.set(name('language'), language)
    form.set(name('file'), new Blob([srt]), `film é.${language}.srt`)
    const { status, body } = await ask(place(video), 'json', { method: 'POST', body: form })
    assert.equal(status, 201, body.message)
    assert.equal(body.response.file_file_name, `film é.${language}.srt`)
    assert.equal(await (await fetch(String(body.response.url))).text(), vtt)
  }
  const form = new URLSearchParams({ 'subtitle[language]': 'it', 'subtitle[file]': file })
  const plain = await ask(place(video), 'json', { method: 'POST', body: form })
  assert.equal(plain.status, 201, plain.body.message)
  // Some clients wrap base64 in lines, do not escape its plus signs, send a data URL, or use base64url.
  const lines = base64(`${srt}\n2\n00:00:03,000 --> 00:00:04,000\n>>> ~~~ ûûû\n`)
  assert.ok(lines.includes('+'))
  for (const [language, value] of [
    ['es', lines.replace(/(.{40})/g, '$1\n')],
    ['nl', lines.replaceAll('+', ' ')],
    ['sv', `data:text/plain;base64,${lines}`],
    ['da', lines.replaceAll('+', '-').replaceAll('/', '_')],
  ] as const) {
    const made = await api.as('admin').subtitles.create(video, { language, file: value })
    assert.equal(made.file_file_size, Buffer.from(lines, 'base64').length, language)
  }
})

test('files are rejected in fields that do not expect one', async () => {
  const video = await newVideo()
  const form = new FormData()
  form.set('subtitle[language]', 'en')
  form.set('subtitle[title]', new Blob([srt]), 'x.srt')
  const { status, body } = await ask(place(video), 'json', { method: 'POST', body: form })
  assert.deepEqual([status, body.message], [422, 'This path takes no files (subtitle[title]).'])
})

test('errors are reported field by field', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const refusals: readonly (readonly [object, string, RegExp])[] = [
    [{ file }, 'language', /is required/],
    [{ language: 'en' }, 'file', /is required/],
    [{ language: 'en', file: '' }, 'file', /must not be empty/],
    [{ language: 'klingonish', file }, 'language', /such as en/],
    [{ language: 'q1', file }, 'language', /such as en/],
    [{ language: '../en', file }, 'language', /such as en/],
    [{ language: 'en', file: 'not base64!' }, 'file', /base64/],
    [{ language: 'en', file: base64('A note.') }, 'file', /no subtitles in the file/],
    [{ language: 'en', file, extension_type: 'vtt' }, 'file', /WEBVTT/],
    [{ language: 'en', file, extension_type: 'ass' }, 'extension_type', /one of srt, vtt/],
    [{ language: 'en', file: base64(srt.replace('02,', '00,')) }, 'file', /^Line 2: /],
    [{ language: 'en', file: base64(`${srt}\0`) }, 'file', /NUL/],
    [{ language: 'en', file: 'A'.repeat(990_000) }, 'file', /at most 700,000 bytes/],
    [{ language: 'en', file: 'A'.repeat(940_000) }, 'file', /705,000 bytes/],
    [{ language: 'en', file: 7 }, 'file', /base64/],
    [{ language: 'en', file, title: 'x'.repeat(101) }, 'title', /100/],
  ]
  for (const [input, field, why] of refusals) {
    const error = await subtitles.create(video, input as never).then(
      () => assert.fail(JSON.stringify(input).slice(0, 200)),
      (each: ZoetropeError) => each,
    )
    assert.equal(error.status, 422)
    assert.match(error.errors?.[field]?.[0] ?? '', why, field)
  }
  const cues = Array.from({ length: 20_001 }, () => '00:01 --> 00:02\nx\n').join('')
  await assert.rejects(subtitles.create(video, { language: 'en', file: base64(cues) }), /20,001 subtitles/)
  const large = new FormData()
  large.set('language', 'en')
  large.set('file', new Blob(['x'.repeat(2_000_000)]))
  assert.equal((await fetch(place(video), { method: 'POST', body: large })).status, 413)
  assert.deepEqual((await subtitles.list(video, { active: 'all' })).response, [])
})

test('active subtitles of a video have different titles, and at most one is the default', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const first = await subtitles.create(video, { language: 'en', file, default: true })
  await assert.rejects(subtitles.create(video, { language: 'en', file }), {
    status: 422,
    message: /called "English" already. Change that one, or give this one another title/,
  })
  const deaf = await subtitles.create(video, { language: 'en', file, title: 'English (SDH)', default: true })
  assert.equal((await subtitles.get(video, first._id)).default, false)
  const hidden = await subtitles.create(video, { language: 'en', file, active: false, default: true })
  assert.equal((await subtitles.get(video, deaf._id)).default, true)
  await assert.rejects(subtitles.update(video, hidden._id, { active: true }), { status: 422 })
  await subtitles.update(video, hidden._id, { active: true, title: 'Simple English' })
  assert.equal((await subtitles.get(video, deaf._id)).default, false)
})

test('of concurrent requests for the same title, one succeeds', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, () => subtitles.create(video, { language: 'en', file, default: true })),
  )
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  await Promise.all(
    ['de', 'fr', 'it', 'es'].map((language) => subtitles.create(video, { language, file, default: true })),
  )
  const { response } = await subtitles.list(video)
  assert.equal(response.filter((each) => each.default).length, 1)
})

test('a video has at most a hundred subtitles', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const one = await subtitles.create(video, { language: 'en', file })
  await api.database.db`
    insert into subtitles select (jsonb_populate_record(subtitles, jsonb_build_object(
      '_id', lpad(to_hex(n), 24, '0'), 'active', false))).*
    from subtitles, generate_series(1, 99) as n where _id = ${one._id}
  `
  await assert.rejects(subtitles.create(video, { language: 'de', file }), /at most 100 subtitles/)
})

test('viewers can read active subtitles of videos they see, and write none', async () => {
  const admin = api.as('admin')
  const video = await newVideo()
  const shown = await admin.subtitles.create(video, { language: 'en', file })
  const hidden = await admin.subtitles.create(video, { language: 'de', file, active: false })
  const { access_token } = await api.channel.consumer()
  const token = createClient({ url: api.url, accessToken: access_token, retries: 0 })
  const clients = [api.as('read_only'), api.as('app'), token]
  for (const { subtitles } of clients) {
    assert.deepEqual((await subtitles.list(video)).response, [shown])
    assert.deepEqual(await subtitles.get(video, shown._id), shown)
    await assert.rejects(subtitles.get(video, hidden._id), { status: 404 })
    await assert.rejects(subtitles.list(video, { active: 'all' }), { status: 403 })
    await assert.rejects(subtitles.create(video, { language: 'fr', file }), { status: 403 })
    await assert.rejects(subtitles.update(video, shown._id, { title: 'x' }), { status: 403 })
    await assert.rejects(subtitles.remove(video, shown._id), { status: 403 })
  }
  await assert.rejects(api.as('player').subtitles.list(video), { status: 403 })

  await admin.videos.update(video, { active: false })
  for (const { subtitles } of clients) {
    await assert.rejects(subtitles.list(video), { status: 404, message: 'Video not found' })
    await assert.rejects(subtitles.get(video, shown._id), { status: 404 })
  }
  assert.equal((await admin.subtitles.list(video, { active: 'all' })).response.length, 2)
  await admin.videos.remove(video)
  await assert.rejects(admin.subtitles.list(video), { status: 404 })
  assert.equal((await fetch(shown.url)).status, 404)
})

test('a subtitle is not found through another channel or video', async () => {
  const video = await newVideo()
  const made = await api.as('admin').subtitles.create(video, { language: 'en', file })
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  for (const { client, parent } of [
    { client: api.other.as('admin'), parent: video },
    { client: api.other.as('admin'), parent: theirs._id },
    { client: api.as('admin'), parent: theirs._id },
    { client: api.as('admin'), parent: await newVideo() },
  ]) {
    await assert.rejects(client.subtitles.get(parent, made._id), { status: 404 })
    await assert.rejects(client.subtitles.update(parent, made._id, { title: 'x' }), { status: 404 })
    await assert.rejects(client.subtitles.remove(parent, made._id), { status: 404 })
  }
  assert.deepEqual(await api.as('admin').subtitles.get(video, made._id), made)
})

test('the URL of a subtitle needs a credential if the video is restricted', async () => {
  const admin = api.as('admin')
  const video = await newVideo()
  const { _id, url } = await admin.subtitles.create(video, { language: 'en', file })
  const consumer = await api.channel.consumer()
  const statuses = async () => {
    const { keys } = api.channel
    const queries = ['', `?api_key=${keys.player}`, `?access_token=${consumer.access_token}`]
    const asked = [...queries, `?api_key=${keys.admin}`, `?api_key=${api.other.keys.admin}`]
    return Promise.all(asked.map(async (query) => (await fetch(`${url}${query}`)).status))
  }
  assert.deepEqual(await statuses(), [200, 200, 200, 200, 200])
  await admin.videos.update(video, { purchase_required: true })
  assert.deepEqual(await statuses(), [401, 403, 403, 200, 404])
  await admin.video_entitlements.create(consumer._id, { video_id: video })
  assert.deepEqual(await statuses(), [401, 403, 200, 200, 404])
  const reply = await fetch(`${url}?access_token=${consumer.access_token}`)
  assert.equal(reply.headers.get('cache-control'), 'private, no-store')

  await admin.videos.update(video, { purchase_required: false, active: false })
  assert.deepEqual(await statuses(), [401, 404, 404, 200, 404])
  await admin.videos.update(video, { active: true })
  await admin.subtitles.update(video, _id, { active: false })
  assert.deepEqual(await statuses(), [401, 404, 404, 200, 404])
})

const rich = `WEBVTT

intro
00:00:01.000 --> 00:00:02.500 line:0
<v Fred><i>Good</i> morning</v> & <b.loud>bye</b>

00:00:03.000 --> 00:00:04.000 align:start position:10%
1 < 2 &lt;b&gt; not bold
00:00:09.000 --&gt; 00:00:10.000

00:00:05.000 --> 00:00:06.000
42
`

test('a subtitle is downloaded as SRT or VTT, and nothing is lost when it is uploaded again', async () => {
  const { subtitles } = api.as('admin')
  const video = await newVideo()
  const made = await subtitles.create(video, { language: 'pt-BR', forced: true, file: base64(rich) })
  const reply = await fetch(`${place(video, `/${made._id}/download`)}&format=srt`)
  const srtFile = await reply.text()
  assert.equal(reply.headers.get('content-type'), 'application/x-subrip; charset=utf-8')
  assert.match(
    reply.headers.get('content-disposition') ?? '',
    /^attachment; filename="film[-\w]*\.pt-BR\.forced\.srt"/,
  )
  assert.equal(
    srtFile,
    `1
00:00:01,000 --> 00:00:02,500
{\\an8}<i>Good</i> morning & <b>bye</b>

2
00:00:03,000 --> 00:00:04,000
1 &lt; 2 &lt;b&gt; not bold
00:00:09.000 --&gt; 00:00:10.000

3
00:00:05,000 --> 00:00:06,000
42
`,
  )
  const etag = reply.headers.get('etag') ?? ''
  const again = await fetch(reply.url, { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)

  assert.equal(await subtitles.download(video, made._id), await (await fetch(made.url)).text())
  for (const format of ['srt', 'vtt'] as const) {
    const before = await subtitles.download(video, made._id, { format })
    await subtitles.update(video, made._id, { file: base64(before) })
    assert.equal(await subtitles.download(video, made._id, { format }), before)
  }
  await assert.rejects(subtitles.download(video, made._id, { format: 'ass' as never }), { status: 422 })
})

test('publishers download hidden subtitles, and only those of their channel and of the named video', async () => {
  const admin = api.as('admin')
  const video = await newVideo()
  const made = await admin.subtitles.create(video, { language: 'en', file, active: false })
  await admin.videos.update(video, { active: false })
  assert.equal(await admin.subtitles.download(video, made._id), vtt)
  const theirs = await api.other.as('admin').videos.create({ title: 'Theirs' })
  for (const [client, parent] of [
    [api.other.as('admin'), video],
    [api.other.as('admin'), theirs._id],
    [api.as('admin'), theirs._id],
    [api.as('admin'), await newVideo()],
  ] as const)
    await assert.rejects(client.subtitles.download(parent, made._id), { status: 404 })
  for (const kind of ['read_only', 'app'] as const)
    await assert.rejects(api.as(kind).subtitles.download(video, made._id), { status: 404 })
  await admin.videos.remove(video)
  await assert.rejects(admin.subtitles.download(video, made._id), { status: 404 })
})

test('the URL of a subtitle cannot be guessed', async () => {
  const made = await api.as('admin').subtitles.create(await newVideo(), { language: 'en', file })
  const word = made.url.split('/').at(-1) ?? ''
  for (const path of [
    `${made._id}/${'0'.repeat(32)}.vtt`,
    `${made._id}/${word.slice(1)}`,
    `${made._id}/${word}x`,
    `${'0'.repeat(24)}/${word}`,
    `x/${word}`,
    `${made._id}/..%2f${word}`,
    `${made._id}/`,
  ])
    assert.equal((await fetch(`${api.url}/subtitles/${path}`)).status, 404, path)
  assert.equal((await fetch(made.url, { method: 'POST' })).status, 405)
})
