/** Addresses of segments and files that all viewers share, so that caches can keep them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sealFilm } from '../../packages/server/src/films/film-address.js'
import { expiryFrom } from '../../packages/server/src/films/signed-address.js'
import { hlsFormats } from '../../packages/server/src/media/formats.js'
import { startOwnApi, type TestApi, type TestConsumer } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { globalPlan } from './access-targets-money.js'

let api: TestApi
let id: string
let source_id: string
let subscribers: readonly TestConsumer[]
before(async () => {
  api = await startOwnApi({ trustedProxies: ['loopback'], header: 'X-Country' })
  const { plans, subscriptions, videos } = api.as('admin')
  const worker = openWorker(api)
  const clip = await uploadClip(api, await makeClip({ seconds: 5 }), 'Harbour')
  id = clip._id
  await untilPrepared(api, id)
  await videos.update(id, { formats: { hls_240p: true, hls_360p: true, mp4_360p: true } })
  await until('the file', async () => {
    const { renditions } = await videos.get(id)
    return renditions.some(({ name, status }) => name === 'mp4_360p' && status === 'ready')
  })
  await worker.stop()
  source_id = clip.data_sources[0]?._id ?? ''
  const { _id: plan_id } = await plans.create(globalPlan)
  subscribers = await Promise.all([api.channel.consumer(), api.channel.consumer()])
  for (const { _id } of subscribers) await subscriptions.create({ consumer_id: _id, plan_id })
})
after(() => api.stop())

const admin = () => api.as('admin')
beforeEach(async () => {
  await admin().videos.update(id, { subscription_required: true, active: true })
  await admin().account.update({ hls_encryption: false, shared_segments: true })
})

const open = () => admin().videos.update(id, { subscription_required: false })
const text = async (url: string) => (await fetch(url)).text()
const statusOf = async (url: string, headers = {}) => {
  const reply = await fetch(url, { headers })
  await reply.arrayBuffer()
  return reply.status
}
const untilStatus = (url: string, status: number, headers = {}) =>
  until(`${status} of ${url}`, async () => (await statusOf(url, headers)) === status)

const asViewer = ({ access_token }: TestConsumer) => `access_token=${access_token}`
const asPlayer = () => `api_key=${api.channel.keys.player}`

interface Played {
  /** The playlist of the rendition. */
  readonly playlist: string
  readonly lines: string
  readonly init: string
  readonly segments: readonly string[]
}

/** Loads the playlists as a player does. */
async function play(query: string, url = api.url, track = 'hls_240p'): Promise<Played> {
  const master = await text(`${url}/manifest/${id}.m3u8?${query}`)
  const playlist =
    master.match(/https?:[^"\s]+index\.m3u8/g)?.find((each) => each.includes(`/${track}/`)) ?? ''
  const lines = await text(playlist)
  const segments = lines.match(/^[^#\s]+\.m4s$/gm) ?? []
  assert.ok(segments.length > 0, lines)
  return { playlist, lines, init: /URI="([^"]+init\.mp4)"/.exec(lines)?.[1] ?? '', segments }
}
const playBoth = async () => {
  const [one, other] = await Promise.all(subscribers.map((viewer) => play(asViewer(viewer))))
  assert.ok(one && other)
  return [one, other] as const
}
const firstOf = ({ segments }: Played) => segments[0] ?? ''

test('subscribers have playlists of their own, and the same addresses of segments', async () => {
  const [one, other] = await playBoth()
  assert.notEqual(one.playlist, other.playlist)
  assert.deepEqual([one.init, ...one.segments], [other.init, ...other.segments])
  for (const address of [one.init, ...one.segments])
    assert.match(
      address.replace(api.url, ''),
      /^\/films\/[0-9a-f]{24}\/hls_240p\/[\w.-]+\/(init\.mp4|\d+\.m4s)$/,
    )
  assert.equal((await fetch(one.playlist)).headers.get('cache-control'), 'private, no-store')
  assert.equal(one.lines.includes(subscribers[0]?._id ?? ''), false)
})

test('a cache may keep them until they expire, for viewers on all sites', async () => {
  const [{ init, segments }] = await playBoth()
  for (const address of [init, ...segments])
    for (const headers of [
      undefined,
      { origin: 'https://one.example' },
      { origin: 'https://other.example' },
    ]) {
      const reply = await fetch(address, headers ? { headers } : {})
      assert.equal(reply.status, 200)
      const said = (name: string) => reply.headers.get(name)
      const seconds = Number(/^public, max-age=(\d+), immutable$/.exec(said('cache-control') ?? '')?.[1])
      assert.ok(seconds > 10 * 3600 && seconds <= 12 * 3600, String(said('cache-control')))
      assert.deepEqual([said('vary'), said('access-control-allow-origin')], [null, '*'])
      assert.deepEqual([said('access-control-allow-credentials'), said('set-cookie')], [null, null])
      assert.deepEqual([said('accept-ranges'), Boolean(said('etag'))], ['bytes', true])
      await reply.arrayBuffer()
    }
  const refused = await fetch(segments[0]?.replace(/\/films\/./, '/films/x') ?? '')
  assert.deepEqual([refused.status, refused.headers.get('cache-control')], [403, 'no-store'])
})

test('an address opens its own track of its own film, until it expires', async () => {
  const [played] = await playBoth()
  const address = firstOf(played)
  const seal = address.split('/').at(-2) ?? ''
  for (const other of ['hls_360p', 'audio', 'mp4_360p', 'hls_240p%2f', '..%2fhls_240p'])
    assert.equal(await statusOf(address.replace('hls_240p', other)), 403, other)
  assert.equal(await statusOf(address.replace(source_id, 'f'.repeat(24))), 403)
  assert.equal(await statusOf(address.replace(/\d+\.m4s$/, 'film.mp4')), 404)
  assert.equal(await statusOf(address.replace(/\d+\.m4s$/, 'index.m3u8')), 404)
  for (const path of ['master.m3u8', 'key', 'hls_240p/index.m3u8'])
    assert.equal(await statusOf(`${api.url}/media/${seal}/${path}`), 403, path)
  for (const path of ['status', 'plays'])
    assert.notEqual(await statusOf(`${api.url}/playback/${seal}/${path}`), 200, path)
  const claims = { source_id, track: 'hls_240p', encrypted: false, is_admitted: true }
  const sealed = (expires: number) =>
    address.replace(seal, sealFilm(api.parts.sealer, { ...claims, expires }))
  assert.equal(await statusOf(sealed(Date.now() - 1)), 403)
  assert.equal(await statusOf(sealed(expiryFrom(Date.now()))), 200)
  const soon = await fetch(sealed(Date.now() + 600_000))
  const seconds = Number(/max-age=(\d+)/.exec(soon.headers.get('cache-control') ?? '')?.[1])
  assert.ok(seconds > 0 && seconds <= 600, String(seconds))
})

test('when access ends, playlists and keys end at once, and segments at their hour', async () => {
  await admin().account.update({ hls_encryption: true })
  const viewer = await api.channel.consumer()
  const { video_entitlements } = admin()
  const grant = { video_id: id, transaction_type: 'purchase' } as const
  const { _id } = await video_entitlements.create(viewer._id, grant)
  const { playlist, segments } = await play(asViewer(viewer))
  const key = new URL('../key', playlist).href
  assert.equal(await statusOf(key), 200)

  await video_entitlements.update(viewer._id, _id, { expires_at: new Date(Date.now() - 1000) })

  await untilStatus(playlist, 403)
  await untilStatus(key, 403)
  assert.equal(await statusOf(`${api.url}/manifest/${id}?${asViewer(viewer)}`), 403)
  // This address names no viewer. Without the key, it opens nothing that can be seen.
  assert.equal(await statusOf(segments[0] ?? ''), 200)
})

test('what ends for all viewers ends for segments too', async () => {
  const [played] = await playBoth()
  const address = firstOf(played)
  assert.equal(await statusOf(address), 200)
  await admin().videos.update(id, { active: false })
  await untilStatus(address, 404)
  await admin().videos.update(id, {
    active: true,
    formats: Object.fromEntries(hlsFormats.map((name) => [name, false])),
  })
  try {
    assert.equal(await statusOf(address), 404)
  } finally {
    await admin().videos.update(id, { formats: { hls_240p: true, hls_360p: true, mp4_360p: true } })
  }
  await untilStatus(address, 200)
})

test('addresses of an open film end when it is no longer open', async () => {
  await open()
  const [anonymous, subscriber] = await Promise.all(
    [asPlayer(), asViewer(subscribers[0] as TestConsumer)].map((query) => play(query)),
  )
  assert.deepEqual(anonymous?.segments, subscriber?.segments)
  const address = anonymous ? firstOf(anonymous) : ''
  assert.equal(await statusOf(address), 200)
  await admin().videos.update(id, { subscription_required: true })
  await untilStatus(address, 403)
})

test('encrypted segments are shared, and keys are not', async () => {
  await admin().account.update({ hls_encryption: true })
  const [one, other] = await playBoth()
  assert.deepEqual(one.segments, other.segments)
  assert.match(one.lines, /#EXT-X-KEY:METHOD=AES-128,URI="\.\.\/key"/)
  const [key, reply] = await Promise.all([fetch(new URL('../key', one.playlist)), fetch(firstOf(one))])
  assert.equal(key.headers.get('cache-control'), 'private, no-store')
  assert.match(reply.headers.get('cache-control') ?? '', /^public/)
  const sealed = await reply.arrayBuffer()
  await admin().account.update({ hls_encryption: false })
  const clear = await (await fetch(firstOf((await playBoth())[0]))).arrayBuffer()
  assert.equal(sealed.byteLength, (Math.floor(clear.byteLength / 16) + 1) * 16)
  assert.equal(await statusOf(new URL('../key', firstOf(one)).href), 404)
})

test('with content rules, each viewer has addresses of their own, which are checked', async () => {
  const { video_content_rules } = admin()
  const [before] = await playBoth()
  const { _id } = await video_content_rules.create(id, { geographies: [{ countries: ['DE'] }] })
  try {
    await untilStatus(firstOf(before), 403, { 'x-country': 'DE' })
    const elsewhere = await fetch(firstOf(before), { headers: { 'x-country': 'FR' } })
    assert.equal(elsewhere.status, 200)
    assert.match(elsewhere.headers.get('cache-control') ?? '', /^private/)
    const { access_token } = subscribers[0] as TestConsumer
    const master = await fetch(`${api.url}/manifest/${id}?access_token=${access_token}`, {
      headers: { 'x-country': 'FR' },
    })
    const [playlist = ''] = (await master.text()).match(/https?:[^"\s]+hls_240p\/index\.m3u8/) ?? []
    const lines = await (await fetch(playlist, { headers: { 'x-country': 'FR' } })).text()
    assert.match(lines, /^0\.m4s$/m)
    assert.equal(await statusOf(new URL('0.m4s', playlist).href, { 'x-country': 'DE' }), 403)
  } finally {
    await video_content_rules.remove(id, _id)
  }
  await untilStatus(firstOf(before), 200, { 'x-country': 'DE' })
})

test('a film that only its publisher sees has addresses that nobody else is given', async () => {
  await admin().videos.update(id, { active: false })
  const { playlist, segments } = await play(`api_key=${api.channel.keys.admin}`)
  assert.equal(segments[0], '0.m4s')
  const reply = await fetch(new URL('0.m4s', playlist))
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('cache-control') ?? '', /^private/)
})

test('the file of a film is shared in the same way', async () => {
  const [one, other] = await Promise.all(subscribers.map((viewer) => fileFor(asViewer(viewer))))
  assert.equal(one, other)
  const reply = await fetch(one ?? '', { headers: { range: 'bytes=0-99' } })
  assert.deepEqual([reply.status, (await reply.arrayBuffer()).byteLength], [206, 100])
  assert.equal(reply.headers.get('content-type'), 'video/mp4')
  assert.match(reply.headers.get('cache-control') ?? '', /^public/)
  assert.equal(await statusOf((one ?? '').replace('film.mp4', 'film.webm')), 404)
  assert.match(await fileFor(`api_key=${api.channel.keys.admin}`), /\/media\/[^/]+\/mp4_360p\.mp4$/)
})

const fileFor = async (query: string) => {
  const reply = await fetch(`${api.url}/embed/${id}?${query}`)
  const { response } = (await reply.json()) as {
    response: { body: { outputs: { name: string; url: string }[] } }
  }
  return response.body.outputs.find(({ name }) => name === 'mp4')?.url ?? ''
}

/** The first segment and the file, as this viewer gets them. */
async function partsFor(viewer: TestConsumer): Promise<readonly [string, string]> {
  const played = await play(asViewer(viewer))
  return [new URL(firstOf(played), played.playlist).href, await fileFor(asViewer(viewer))]
}

test('unless the channel shares them, each subscriber has addresses of their own', async () => {
  const [shared] = await playBoth()
  await admin().account.update({ shared_segments: false })
  await untilStatus(firstOf(shared), 403)
  for (const viewer of subscribers)
    await until('an address of their own', async () => (await partsFor(viewer))[0].includes('/media/'))
  const [one = [], other = []] = await Promise.all(subscribers.map(partsFor))
  for (const [index, address] of one.entries()) {
    assert.ok(address.startsWith(`${api.url}/media/`), address)
    assert.notEqual(address, other[index])
    const reply = await fetch(address)
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('cache-control') ?? '', /^private, max-age=/)
    await reply.arrayBuffer()
  }
  await open()
  assert.match(firstOf(await play(asPlayer())), /\/films\//)
})

test('segments end with the access of their viewer', async () => {
  await admin().account.update({ shared_segments: false })
  const { video_entitlements, consumers } = admin()
  const grant = { video_id: id, transaction_type: 'purchase' } as const
  const endings = {
    'the entitlement ends': async ({ _id: viewer }: TestConsumer, entitlement: string) =>
      video_entitlements.update(viewer, entitlement, { expires_at: new Date(Date.now() - 1000) }),
    'the password changes': async ({ _id }: TestConsumer) =>
      consumers.update(_id, { password: 'another-lantern-over-the-pier' }),
    'the viewer is removed': async ({ _id }: TestConsumer) => consumers.remove(_id),
  }
  for (const [what, end] of Object.entries(endings)) {
    const viewer = await api.channel.consumer()
    const { _id } = await video_entitlements.create(viewer._id, grant)
    const parts = await partsFor(viewer)
    for (const part of parts) assert.equal(await statusOf(part), 200, what)
    await end(viewer, _id)
    for (const part of parts) await untilStatus(part, 403)
  }
})

test('with MEDIA_URL, segments and pictures are there, and everything else is not', async () => {
  await admin().account.update({ shared_segments: false })
  const cdn = 'https://cdn.example/zoetrope'
  const node = await api.startNode({ mediaUrl: cdn })
  try {
    const query = asViewer(subscribers[0] as TestConsumer)
    const { playlist, init, segments } = await play(query, node.url)
    assert.ok(playlist.startsWith(`${node.url}/media/`))
    for (const address of [init, ...segments]) assert.ok(address.startsWith(`${cdn}/films/${source_id}/`))
    const page = await fetch(`${node.url}/embed/${id}.html?${query}`)
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const directive of ['connect-src', 'media-src'])
      assert.match(policy, new RegExp(`${directive} 'self' ${node.url} https://cdn\\.example[ ;]`))
    const dashboard = await fetch(`${node.url}/dashboard`)
    assert.match(
      dashboard.headers.get('content-security-policy') ?? '',
      /media-src [^;]*https:\/\/cdn\.example[ ;]/,
    )
    const png = Buffer.from('89504e470d0a1a0a0000000d494844520000028000000168', 'hex').toString('base64')
    const made = await fetch(`${node.url}/videos?api_key=${api.channel.keys.admin}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ video: { title: 'Pictured', custom_thumbnail: png } }),
    })
    const { response } = (await made.json()) as { response: { custom_thumbnail_url: string } }
    assert.ok(response.custom_thumbnail_url.startsWith(`${cdn}/images/`), response.custom_thumbnail_url)
    const picture = await fetch(response.custom_thumbnail_url.replace(cdn, node.url))
    assert.deepEqual(
      [picture.status, picture.headers.get('vary'), picture.headers.get('access-control-allow-origin')],
      [200, null, '*'],
    )
    await picture.arrayBuffer()
  } finally {
    await node.stop()
  }
})

test('an address that a named key got ends when the key loses the scope to read videos', async () => {
  const { _id, key } = await admin().keys.create({ name: 'Watches', scopes: ['videos:read'] })
  const { playlist, segments } = await play(`api_key=${key}`)
  const address = new URL(segments[0] ?? '', playlist).href
  assert.equal(await statusOf(address), 200)
  await admin().keys.update(_id, { scopes: ['playlists:read'] })
  await untilStatus(address, 403)
})
