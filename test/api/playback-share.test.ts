import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'

const title = `"A <b>walk</b>" & </script><script>alert('x')</script>`
let api: TestApi
let id: string
let slug: string
let tall: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  id = (await uploadClip(api, await makeClip({ seconds: 2 }), title))._id
  tall = (await uploadClip(api, await makeClip({ seconds: 1, size: '180x320' }), 'Tall'))._id
  for (const video of [id, tall]) await untilPrepared(api, video)
  const posters = async () => (await api.as('admin').videos.get(id)).thumbnails.length
  for (let tries = 0; tries < 2000 && (await posters()) === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
  await worker.stop()
  slug = (await api.as('admin').videos.get(id)).friendly_title
  await api.as('admin').videos.update(id, { description: 'By the sea.\n<img src=x onerror=alert(1)>' })
})
after(() => api.stop())

const player = () => api.channel.keys.player
const watch = (video = id, query = '') => fetch(`${api.url}/watch/${video}?${query}`)
const shareUrl = () => `${api.url}/watch/${slug}-${id}`
const oembed = (parameters: Record<string, string>) =>
  fetch(`${api.url}/oembed?${new URLSearchParams(parameters)}`)
const jsonOf = async <T>(reply: Response) => (await reply.json()) as T

interface Snippets {
  readonly response: Readonly<Record<'iframe' | 'script' | 'element' | 'page_url' | 'share_url', string>> &
    Readonly<Record<'oembed_url' | 'manifest_url', string>> &
    Readonly<Record<'width' | 'height', number>>
}
const snippets = async (video: string, query: string) => {
  const reply = await fetch(`${api.url}/videos/${video}/player?${query}`)
  assert.equal(reply.status, 200)
  return (await jsonOf<Snippets>(reply)).response
}

test('the share page has the player, the texts, and link preview metadata', async () => {
  const reply = await watch()
  assert.equal(reply.status, 200)
  assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(reply.headers.get('cache-control'), 'private, no-store')
  const page = await reply.text()
  const address = shareUrl()
  for (const part of [
    `<link rel="canonical" href="${address}">`,
    '<meta property="og:type" content="video.other">',
    '<meta property="og:title" content="&quot;A &lt;b&gt;walk',
    `<meta property="og:url" content="${address}">`,
    '<meta property="og:site_name" content="One">',
    `<meta property="og:image" content="${api.url}/pictures/`,
    '<meta property="og:image:width" content="320">',
    `<meta property="og:video" content="${api.url}/embed/${id}.html?api_key=${player()}">`,
    '<meta property="og:video:width" content="320">',
    '<meta name="twitter:card" content="player">',
    'type="application/json+oembed"',
    'type="text/xml+oembed"',
    `<zoetrope-player video-id="${id}"`,
    'aspect-ratio="320/180"',
    '<h1>&quot;A &lt;b&gt;walk',
    'By the sea.\n&lt;img src=x onerror=alert(1)&gt;',
    '<time datetime="',
    '0:02</p>',
  ])
    assert.ok(page.includes(part), part)
  assert.match(page, /<zoetrope-player[^>]*><button [^>]+ aria-label="Play"><img src="http[^"]+" alt="">/)
  assert.equal(/<b>walk|<img src=x|<script>alert/.test(page), false)
  // The player's script comes after the poster, and the policy knows the text that loads it.
  assert.equal(page.includes('<script async'), false)
  const [, loader = ''] = /<script>([^<]+)<\/script>/.exec(page) ?? []
  const hash = createHash('sha256').update(loader).digest('base64')
  assert.ok(reply.headers.get('content-security-policy')?.includes(`'sha256-${hash}'`))
})

test('the share page has the URL of the film for programs', async () => {
  const page = await (await watch()).text()
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
  const { contentUrl, embedUrl, thumbnailUrl, ...data } = JSON.parse(json) as Record<string, string>
  assert.deepEqual(
    [data['@type'], data.name, data.duration, typeof thumbnailUrl?.[0]],
    ['VideoObject', title, 'PT2S', 'string'],
  )
  assert.equal(new Date(data.uploadDate ?? '').toISOString(), data.uploadDate)
  assert.equal(embedUrl, `${api.url}/embed/${id}.html?api_key=${player()}`)
  assert.match(await (await fetch(contentUrl ?? '')).text(), /#EXT-X-STREAM-INF/)
  assert.match(
    page,
    /<meta property="og:video" content="http[^"]+\/media\/[^"]+">\n<meta property="og:video:type"/,
  )
})

test('a share page that cannot be shown says so as a page', async () => {
  for (const [video, query, status] of [
    ['f'.repeat(24), `api_key=${player()}`, 404],
    ['f'.repeat(24), '', 404],
    ['a-title', '', 404],
    [`any-title-${id}`, '', 200],
    [`any-title-${id}`, `api_key=${player()}`, 200],
    [`any-title${id}`, '', 404],
    [id, `api_key=${player()}`, 200],
    [id, `player_key=${player()}`, 200],
    [id, 'api_key=wrong', 401],
    [id, 'player_key=wrong', 401],
    [id, `api_key=${api.other.keys.player}`, 404],
  ] as const) {
    const reply = await watch(video, query)
    assert.equal(reply.status, status)
    assert.match(reply.headers.get('content-type') ?? '', /^text\/html/)
  }
})

test('without a key only published videos have a share page, and restricted ones say why they do not play', async () => {
  const { videos } = api.as('admin')
  const { _id } = await videos.create({ title: 'Hidden', active: false })
  const refused = async (video: string) => {
    const reply = await watch(video)
    const told = await oembed({ url: `${api.url}/watch/${video}` })
    return [reply.status, told.status, (await reply.text()).replaceAll(video, '')]
  }
  const hidden = await refused(_id)
  assert.deepEqual(hidden, await refused('f'.repeat(24)))
  assert.deepEqual(hidden.slice(0, 2), [404, 404])
  const { _id: later } = await videos.create({ title: 'Later', enable_at: '2100-01-01T00:00:00Z' })
  assert.deepEqual(await refused(later), hidden)
  await videos.remove(later)
  assert.deepEqual(await refused(later), hidden)
  const { _id: failed } = await videos.create({ title: 'Failed' })
  await api.database.db`update videos set status = 'failed' where _id = ${failed}`
  assert.deepEqual(await refused(failed), hidden)
  await videos.update(id, { subscription_required: true })
  const [status, told, page] = await refused(id)
  assert.deepEqual([status, told], [403, 401])
  assert.match(String(page), /This video is for subscribers/)
  assert.equal(String(page).includes(player()), false)
  await videos.update(id, { subscription_required: false, active: false })
  assert.deepEqual(await refused(id), hidden)
  await videos.update(id, { active: true })
  await videos.remove(_id)
})

test('chapters are in the player page and the share page of videos that have them', async () => {
  const { videos } = api.as('admin')
  const pages = async () => {
    const embedded = await fetch(`${api.url}/embed/${id}.html?api_key=${player()}`)
    const script = await fetch(`${api.url}/embed/${id}.js?api_key=${player()}`)
    return Promise.all([await watch(), embedded, script].map((reply) => reply.text()))
  }
  for (const page of await pages()) assert.doesNotMatch(page, /chapters/)
  const { segments } = await videos.update(id, {
    segments: [{ start: 500, end: 1500, description: 'Gulls & "boats"' }],
  })
  const chapters = JSON.stringify([{ start: 0.5, end: 1.5, title: 'Gulls & "boats"' }])
  const inHtml = chapters.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const [shared = '', embedded = '', script = ''] = await pages()
  for (const page of [shared, embedded]) assert.ok(page.includes(` chapters="${inHtml}"`), page)
  assert.ok(script.includes(`"chapters":${chapters}`), script)
  await api.as('admin').segments.remove(id, segments[0]?._id ?? '')
})

test('with a list of sites, share pages stay public, but no other site can frame their player', async () => {
  const { account } = api.as('admin')
  await account.update({ embed_domains: ['example.com'] })
  try {
    const reply = await watch()
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/)
    const page = await reply.text()
    assert.equal(/og:video|twitter:player|contentUrl|embedUrl/.test(page), false)
    assert.ok(page.includes('content="summary_large_image"'))
    const read = await fetch(shareUrl(), { headers: { origin: 'https://evil.test' } })
    assert.equal(read.status, 403)
  } finally {
    await account.update({ embed_domains: [] })
  }
})

test('oEmbed supports share pages, player pages and scripts', async () => {
  for (const url of [
    shareUrl(),
    `${shareUrl()}?api_key=${player()}`,
    `${api.url}/embed/${id}?api_key=${player()}`,
    `${api.url}/embed/${id}.html?player_key=${player()}`,
  ]) {
    const reply = await oembed({ url })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    const { html, thumbnail_url, ...facts } = await jsonOf<Record<string, unknown>>(reply)
    assert.deepEqual(facts, {
      version: '1.0',
      type: 'video',
      title,
      author_name: 'One',
      provider_name: 'Zoetrope',
      provider_url: api.url,
      cache_age: 300,
      thumbnail_width: 320,
      thumbnail_height: 180,
      width: 320,
      height: 180,
      duration: 2,
    })
    assert.match(
      String(html),
      /^<iframe src="http[^"]+\/embed\/[0-9a-f]{24}\.html\?api_key=[^"]+" title="&quot;A &lt;b/,
    )
    assert.equal((await fetch(String(thumbnail_url))).status, 200)
  }
})

test('oEmbed respects maxwidth and maxheight, and supports XML', async () => {
  const small = await jsonOf<Record<string, number>>(
    await oembed({ url: shareUrl(), maxwidth: '200', maxheight: '90' }),
  )
  assert.deepEqual([small.width, small.height], [160, 90])
  assert.equal('thumbnail_url' in small, false)
  const xml = await oembed({ url: shareUrl(), format: 'xml' })
  assert.match(xml.headers.get('content-type') ?? '', /^text\/xml/)
  const text = await xml.text()
  assert.match(text, /^<\?xml version="1.0"[^>]*\?>\n<oembed><version>1.0<\/version><type>video<\/type>/)
  assert.match(text, /<html>&lt;iframe src=&quot;/)
})

test('oEmbed refuses what it cannot read, and never with a status of 500 or above', async () => {
  for (const [parameters, status] of [
    [{ url: shareUrl(), format: 'yaml' }, 422],
    [{ url: shareUrl(), format: 'JSON' }, 200],
    [{ url: shareUrl(), format: '' }, 200],
    [{ url: `${api.url}/embed/${id}.html` }, 401],
    [{ url: `${api.url}/watch/${id}?api_key=wrong` }, 401],
    [{ url: `${api.url}/watch/${'f'.repeat(24)}?api_key=${player()}` }, 404],
    [{ url: `https://elsewhere.test/watch/${id}?api_key=${player()}` }, 404],
    [{ url: `${api.url}/videos/${id}?api_key=${player()}` }, 404],
    [{ url: 'no address' }, 404],
    [{}, 404],
  ] as const)
    assert.equal((await oembed(parameters)).status, status, JSON.stringify(parameters).slice(0, 60))
  const shown = await fetch(`${api.url}/oembed?url=${encodeURIComponent(shareUrl())}`, {
    headers: { origin: 'https://blog.test' },
  })
  assert.equal(shown.headers.get('access-control-allow-origin'), 'https://blog.test')
})

test('the snippets are ready to paste with every kind of caller', async () => {
  const { keys, app_key } = api.channel
  for (const query of [
    `api_key=${keys.admin}`,
    `api_key=${keys.read_only}`,
    `player_key=${keys.player}`,
    `app_key=${app_key}`,
  ]) {
    const { iframe, script, element, page_url, share_url, oembed_url, manifest_url, ...size } =
      await snippets(id, query)
    assert.deepEqual(size, { width: 640, height: 360 })
    assert.equal(page_url, `${api.url}/embed/${id}.html?api_key=${keys.player}`)
    assert.equal(share_url, shareUrl())
    for (const url of [page_url, share_url, oembed_url, manifest_url])
      assert.equal((await fetch(url)).status, 200)
    assert.ok(iframe.includes('max-width:640px;aspect-ratio:640/360'))
    // Browsers log a warning if a frame allows full screen twice.
    assert.match(iframe, /allow="(?!.*fullscreen;)[^"]+"[^>]* allowfullscreen>/)
    assert.ok(script.includes(`<div data-zoetrope-video="${id}"></div>`))
    assert.ok(element.includes(`data-zoetrope-key="${keys.player}"`))
    assert.equal(
      [iframe, script, element].some((text) => text.includes('<b>')),
      false,
    )
  }
  assert.equal((await fetch(`${api.url}/videos/${id}/player`)).status, 401)
  assert.equal((await fetch(`${api.url}/videos/${id}/player?api_key=${api.other.keys.admin}`)).status, 404)
})

test('the snippets contain the options and the aspect ratio of the video', async () => {
  const wishes = 'autoplay=true&muted=1&loop=false&start=12&controls=false&width=360'
  const made = await snippets(tall, `api_key=${api.channel.keys.admin}&${wishes}`)
  assert.deepEqual([made.width, made.height], [360, 640])
  const carried = Object.fromEntries(new URL(made.page_url).searchParams)
  assert.deepEqual(carried, {
    api_key: player(),
    autoplay: 'true',
    muted: 'true',
    loop: 'false',
    controls: 'false',
    start: '12',
  })
  assert.ok(
    made.element.includes(
      ' data-autoplay="true" data-muted="true" data-loop="false" data-controls="false" data-start="12"',
    ),
  )
  const page = await (await fetch(made.page_url)).text()
  assert.match(page, / start="12" autoplay muted page-keys no-controls>(<img [^>]+>)?<\/zoetrope-player>/)
})
