import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import Fastify from 'fastify'
import { addErrors } from '../../packages/server/src/api/error-handler.js'
import { addGeoLookup } from '../../packages/server/src/edge/origin.js'
import { acceptedKinds } from '../../packages/server/src/edge/route-kinds.js'
import { openFfmpeg } from '../../packages/server/src/media/open-ffmpeg.js'
import { addPlayback } from '../../packages/server/src/playback/index.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

const title = `"A <b>walk</b>" & </script><script>alert('x')</script>`
let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  id = (await uploadClip(api, await makeClip({ seconds: 1 }), title))._id
  await untilPrepared(api, id)
  await worker.stop()
})
after(() => api.stop())

interface PlayerJson {
  readonly response: {
    readonly video: { readonly _id: string; readonly title: string; readonly duration: number }
    readonly body: {
      readonly outputs: readonly { readonly name: string; readonly url: string }[]
      readonly files: unknown
      readonly subtitles: unknown
      readonly advertising: unknown
      readonly on_air: boolean
      readonly status_url: string
    }
  }
}

const embed = (path: string, query = `player_key=${api.channel.keys.player}`) =>
  fetch(`${api.url}/embed/${path}?${query}`)
const jsonOf = async (reply: Response) => (await reply.json()) as PlayerJson
const waiting = async (values: object) => {
  const { _id } = await api.as('admin').videos.create({ title: 'Waiting' })
  for (const [name, value] of Object.entries(values))
    await api.database.db`update videos set ${api.database.db({ [name]: value })} where _id = ${_id}`
  return _id
}
const statusOf = async (address: string) =>
  (await (await fetch(address)).json()) as Record<string, string | number | null>

test('the JSON has what apps read, and its address plays without a credential', async () => {
  for (const path of [id, `${id}.json`]) {
    const reply = await embed(path)
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(reply.headers.get('cache-control'), 'private, no-store')
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
    const { video, body } = (await jsonOf(reply)).response
    assert.deepEqual([video._id, video.title, video.duration], [id, title, 1])
    const { outputs, files, subtitles, advertising, on_air } = body
    assert.deepEqual([subtitles, advertising, on_air], [[], {}, false])
    assert.deepEqual(files, outputs)
    assert.deepEqual(
      outputs.map(({ name }) => name),
      ['m3u8'],
    )
    assert.match(await (await fetch(outputs[0]?.url ?? '')).text(), /^#EXTM3U\n/)
  }
})

test('the JSON has the player settings of the channel, unless the URL overrides them', async () => {
  const { account } = api.as('admin')
  const look = async (query = '') => {
    const reply = await embed(id, `player_key=${api.channel.keys.player}${query}`)
    return ((await reply.json()) as { response: { player: object } }).response.player
  }
  const plain = { name: 'zoetrope', color: null, logo_url: null }
  const flags = { autoplay: false, muted: false, loop: false, controls: true }
  assert.deepEqual(await look(), { ...plain, ...flags })
  await account.update({ player_color: '#cc5500', player_autoplay: true, player_controls: false })
  const said = { ...flags, autoplay: true, controls: false }
  assert.deepEqual(await look(), { ...plain, color: '#cc5500', ...said })
  const wished = await look('&autoplay=false&loop=true&color=2855c5&start=3')
  assert.deepEqual(wished, { ...plain, color: '#2855c5', ...said, autoplay: false, loop: true, start: 3 })
  await account.update({ player_color: null, player_autoplay: false, player_controls: true })
})

test('data for players and snippets come as XML too', async () => {
  const key = `api_key=${api.channel.keys.player}`
  for (const [path, name] of [
    [`/embed/${id}.xml?${key}`, 'outputs'],
    [`/videos/${id}/player.xml?${key}`, 'iframe'],
  ] as const) {
    const reply = await fetch(api.url + path)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/xml/)
    const text = await reply.text()
    assert.ok(text.includes('<result><response>') && text.includes(`<${name}`), text)
  }
})

test('the status URL returns whether a video is ready, and its URL', async () => {
  const { status_url } = (await jsonOf(await embed(id))).response.body
  const { status, src, playable_at } = await statusOf(status_url)
  assert.equal(status, 'ready')
  assert.ok(playable_at)
  assert.equal((await fetch(String(src))).status, 200)
})

test('a video that is not ready is reported as such', async () => {
  const { admin } = api.channel.keys
  const cases = [
    [{ status: 'processing', status_reason: 'ffmpeg is missing' }, 'This video is being prepared.', null],
    [{ status: 'created' }, 'This video has no file yet.', null],
  ] as const
  for (const [values, message, reason] of cases) {
    const video = await waiting(values)
    const manifest = await fetch(`${api.url}/manifest/${video}.m3u8?api_key=${admin}`)
    assert.equal(manifest.status, 404)
    assert.equal(((await manifest.json()) as { message: string }).message, message)
    const { body } = (await jsonOf(await embed(video))).response
    assert.deepEqual(body.outputs, [])
    const told = await statusOf(body.status_url)
    assert.deepEqual([told.status, told.status_reason, told.playable_at], [values.status, reason, null])
    assert.equal('src' in told, false)
  }
})

test('the status URL of a removed video returns 404', async () => {
  const video = await waiting({ status: 'processing' })
  const { status_url } = (await jsonOf(await embed(video))).response.body
  await api.as('admin').videos.remove(video)
  assert.equal((await fetch(status_url)).status, 404)
  assert.equal((await fetch(`${api.url}/playback/x.y/status`)).status, 403)
})

test('the page has the player, with any title, and a CSP that allows nothing else', async () => {
  const reply = await embed(`${id}.html`, `player_key=${api.channel.keys.player}&autoplay=true&muted&start=3`)
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(reply.headers.get('x-frame-options'), null)
  const policy = reply.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self' http:\/\/127\.0\.0\.1:\d+ 'sha256-[^']+';/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/)
  const page = await reply.text()
  assert.ok(page.includes(`video-id="${id}" title="&quot;A &lt;b&gt;walk`))
  assert.match(page, / start="3" autoplay muted page-keys>(<img [^>]+>)?<\/zoetrope-player>/)
  assert.ok(page.includes(`script.src = "${api.url}/zoetrope-player.js"`))
  assert.equal(page.includes('<b>walk'), false)
  assert.equal(page.includes(api.channel.keys.player), false)
})

test('a refused page says why, with the right status', async () => {
  const cases: [string, string | undefined, number, string][] = [
    [`${'f'.repeat(24)}.html`, undefined, 404, 'Video not found'],
    [`${id}.html`, '', 401, 'You cannot watch this video here'],
    [`${id}.html`, `api_key=${api.other.keys.player}`, 404, 'Video not found'],
    ['%3Cscript%3E.iframe', undefined, 404, 'This video is not available'],
  ]
  for (const [path, query, status, words] of cases) {
    const reply = await embed(path, query)
    assert.equal(reply.status, status)
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    const page = await reply.text()
    assert.ok(page.includes(words), page)
    assert.equal(page.includes('<script'), false)
  }
  assert.match((await embed('x')).headers.get('content-type') ?? '', /json/)
})

test('the script passes the video to the player, and loads the player once', async () => {
  const reply = await embed(`${id}.js`)
  assert.equal(reply.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const code = await reply.text()
  assert.equal(code.includes('</script'), false)
  const loaded: { src?: string }[] = []
  const document = {
    querySelector: () => loaded[0] ?? null,
    querySelectorAll: () => [],
    createElement: () => ({}),
    head: { appendChild: (script: object) => loaded.push(script) },
  }
  const window: { zoetropeEmbeds?: Record<string, unknown>[] } = {}
  runInNewContext(code, { window, document })
  runInNewContext(code, { window, document })
  assert.deepEqual(
    loaded.map(({ src }) => src),
    [`${api.url}/zoetrope-player.js`],
  )
  const [first, second] = window.zoetropeEmbeds ?? []
  assert.equal(first?.videoId, id)
  assert.equal(first?.title, title)
  assert.match(String(first?.src), /\/master\.m3u8$/)
  assert.equal(JSON.stringify(second), JSON.stringify(first))
})

test('a refused script returns a message for viewers; other requests get the status', async () => {
  const path = `${api.url}/embed/${id}.js?api_key=wrong`
  const refused = await fetch(path)
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [401, 'unauthorized'])
  const page = await fetch(path, { headers: { 'sec-fetch-dest': 'script' } })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const window: { zoetropeEmbeds?: Record<string, unknown>[] } = {}
  runInNewContext(await page.text(), { window, document: { querySelector: () => ({}) } })
  const [{ videoId, problem, reason, src } = {}] = window.zoetropeEmbeds ?? []
  assert.deepEqual([videoId, problem, reason, src], [id, 'not_allowed', 'unauthorized', undefined])
})

test('the player script is compressed as well as the browser supports', async () => {
  const plain = await readFile(new URL('../../packages/player/dist/zoetrope-player.js', import.meta.url))
  for (const encoding of ['br', 'gzip', 'identity']) {
    const reply = await fetch(`${api.url}/zoetrope-player.js`, { headers: { 'accept-encoding': encoding } })
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=3600')
    assert.equal(reply.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(plain), encoding)
    const etag = reply.headers.get('etag') ?? ''
    const ask = async (tag: string) => (await fetch(reply.url, { headers: { 'if-none-match': tag } })).status
    assert.deepEqual([await ask(etag), await ask(etag.replace(/"$/, 'x"'))], [304, 200])
  }
})

test('without ffmpeg finished segments play, and others return 503', async () => {
  const media = { ...api.media, ffmpeg: await openFfmpeg({ ffmpegPath: '/nowhere/ffmpeg' }) }
  const app = Fastify({ routerOptions: { maxParamLength: 1000, constraints: { accept: acceptedKinds } } })
  addErrors(app)
  addGeoLookup(app, { problem: undefined, noteUnknown: () => undefined, find: () => ({}) })
  await app.register(async (scope) => {
    addPlayback(scope, api.parts, media, { playerUrl: api.url, playerScript: '/nowhere/player.js' })
  })
  const master = await app.inject(`/manifest/${id}?api_key=${api.channel.keys.player}`)
  const audio = /http[^"]+audio\/index\.m3u8/.exec(master.body)?.[0].replace(api.url, '') ?? ''
  const made = await app.inject(audio.replace('index.m3u8', '0.m4s'))
  assert.equal(made.statusCode, 200)
  await api.media.storage.removeUnder('segments')
  const missing = await app.inject(audio.replace('index.m3u8', '0.m4s'))
  assert.equal(missing.statusCode, 503)
  assert.equal(missing.headers['retry-after'], '30')
  assert.match(missing.json().message, /has not been made yet/)
  const script = await app.inject('/zoetrope-player.js')
  assert.equal(script.statusCode, 503)
  assert.match(script.json().message, /npm run build -- player/)
  await app.close()
})

test('a playlist is a row of videos under a player: a page for frames, and a script that makes the frame', async () => {
  const { playlists, videos, account } = api.as('admin')
  const { _id } = await playlists.create({ title: '<i>Row</i>' })
  const waits = await waiting({ status: 'processing' })
  const hidden = await videos.create({ title: 'Hidden', active: false })
  await playlists.addVideos(_id, { video_id: [waits, id, hidden._id] })
  const carousel = (form: string, query = `player_key=${api.channel.keys.player}`, headers = {}) =>
    fetch(`${api.url}/playlists/${_id}/carousel${form}?${query}`, { headers })
  for (const form of ['', '.html', '.iframe']) {
    const reply = await carousel(form, `api_key=${api.channel.keys.admin}`)
    assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, 'private, no-store'])
    assert.match(reply.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-src 'self'/)
    const page = await reply.text()
    assert.match(page, /<h1>&lt;i&gt;Row&lt;\/i&gt;<\/h1>/)
    assert.doesNotMatch(page, /<script/)
    assert.ok(!page.includes(api.channel.keys.admin))
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, href]) =>
      String(href).replaceAll('&amp;', '&'),
    )
    assert.deepEqual(links, [`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}&autoplay=true`])
    const [, stage] = /<iframe name="stage" src="([^"]+)"/.exec(page) ?? []
    assert.equal((await fetch(String(stage).replaceAll('&amp;', '&'))).status, 200)
  }
  const script = await carousel('.js')
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
  const made: { src?: string; title?: string; style: object }[] = []
  const element = () => ({ style: {} })
  const place = { replaceChildren: (frame: (typeof made)[number]) => made.push(frame) }
  const document = { currentScript: null, querySelectorAll: () => [place], createElement: element }
  runInNewContext(await script.text(), { document })
  const src = `${api.url}/playlists/${_id}/carousel.html?api_key=${api.channel.keys.player}`
  assert.deepEqual(
    made.map((frame) => [frame.src, frame.title]),
    [[src, '<i>Row</i>']],
  )

  assert.equal((await carousel('.html', 'player_key=wrong')).status, 401)
  assert.equal((await carousel('.html', `player_key=${api.other.keys.player}`)).status, 404)
  await account.update({ embed_domains: ['example.com'] })
  const from = (referer: string) => carousel('.html', undefined, { referer })
  assert.deepEqual([(await from('https://evil.example/')).status, (await carousel('.js')).status], [403, 403])
  const framed = (await from('https://example.com/')).headers.get('content-security-policy') ?? ''
  assert.match(framed, /frame-ancestors 'self' .*https:\/\/example\.com/)
  await account.update({ embed_domains: [] })
  await playlists.update(_id, { active: false })
  const gone = await carousel('.html')
  assert.deepEqual([gone.status, (await gone.text()).includes('Playlist not found')], [404, true])
})
