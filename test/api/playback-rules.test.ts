import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Catalog, CreateOf } from '@zoetrope/contract'
import { openMmdb } from '../../packages/server/src/countries/mmdb.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip } from '../support/media.js'
import { exampleNetworks, writeMmdb } from '../support/mmdb.js'

type Rule = CreateOf<Catalog['video_content_rules']>

const file = openMmdb(writeMmdb({ networks: exampleNetworks }))
const german = { 'x-forwarded-for': '192.0.2.7' }
const american = { 'x-forwarded-for': '198.51.100.7' }
const nowhere = { 'x-forwarded-for': '10.1.2.3' }

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi({ file, header: 'X-Country', trustedProxies: ['loopback'] })
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Harbour')
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  id = _id
})
after(() => api.stop())

/** Replaces the rules of the video. */
async function rule(...given: Rule[]): Promise<void> {
  const { video_content_rules: rules } = api.as('admin')
  for (const { _id } of (await rules.list(id, { per_page: 100 })).response) await rules.remove(id, _id)
  for (const each of given) await rules.create(id, each)
}
const paths = () => [
  `/embed/${id}`,
  `/embed/${id}.js`,
  `/embed/${id}.html`,
  `/manifest/${id}`,
  `/watch/${id}`,
]
const player = () => `api_key=${api.channel.keys.player}`
const get = (path: string, headers: Record<string, string> = {}, query = player(), url = api.url) =>
  fetch(`${url}${path}?${query}`, { headers })
const statuses = async (headers: Record<string, string>, query = player()) =>
  Promise.all(paths().map(async (path) => (await get(path, headers, query)).status))
const all = (status: number) => paths().map(() => status)
const refusal = async (headers: Record<string, string>, url = api.url) => {
  const { code, message } = (await (await get(`/embed/${id}`, headers, player(), url)).json()) as {
    code: string
    message: string
  }
  return { code, message }
}
const inCountries = (...countries: string[]) => ({ geographies: [{ countries }] })

async function untilStatus(
  address: string,
  headers: Record<string, string>,
  wanted: number,
): Promise<number> {
  let status = 0
  for (let tries = 0; tries < 400 && status !== wanted; tries += 1) {
    status = (await fetch(address, { headers })).status
    if (status !== wanted) await delay(100)
  }
  return status
}

test('a denied country is refused everywhere, with a page for people, and others may watch', async () => {
  await rule(inCountries('DE'))
  assert.deepEqual(await statuses(german), all(403))
  assert.deepEqual(await statuses(american), all(200))
  const message = 'Its publisher does not show this video in your country.'
  assert.deepEqual(await refusal(german), { code: 'wrong_country', message })
  for (const path of [`/embed/${id}.html`, `/watch/${id}`]) {
    const page = await (await get(path, german)).text()
    assert.ok(page.includes('This video is not available in your country') && page.includes(message))
  }
  const xml = await get(`/embed/${id}.xml`, german)
  assert.match(await xml.text(), /<code>wrong_country<\/code>/)
})

test('if one country is allowed, all others are refused', async () => {
  await rule({ policy: 'allow', ...inCountries('US', 'CA') })
  assert.deepEqual(await statuses(american), all(200))
  assert.deepEqual(await statuses(german), all(403))
  assert.equal((await refusal(nowhere)).code, 'country_unknown')
})

test('playlists, segments, subtitles and files are refused too, even with a URL that was passed on', async () => {
  await rule({ policy: 'allow', ...inCountries('US') })
  const playlist = await (await get(`/manifest/${id}`, american)).text()
  const [address = ''] = playlist.match(/http:[^"\s]+index.m3u8/) ?? []
  const segment = address.replace('index.m3u8', '0.m4s')
  for (const each of [address, address.replace(/[^/]+\/index.m3u8/, 'master.m3u8'), segment]) {
    assert.equal((await fetch(each, { headers: american })).status, 200, each)
    assert.equal((await fetch(each, { headers: german })).status, 403, each)
  }
  const answer = await fetch(segment, { headers: american })
  assert.match(answer.headers.get('cache-control') ?? '', /^private/)
  const { response } = (await (await get(`/embed/${id}`, american)).json()) as {
    response: { body: { status_url: string } }
  }
  assert.equal((await fetch(response.body.status_url, { headers: american })).status, 200)
  assert.equal((await fetch(response.body.status_url, { headers: german })).status, 403)
})

test('a new rule stops a viewer within seconds, and removing it lets them continue', async () => {
  await rule()
  const playlist = await (await get(`/manifest/${id}`, german)).text()
  const [address = ''] = playlist.match(/http:[^"\s]+index.m3u8/) ?? []
  const answer = await fetch(address.replace('index.m3u8', '0.m4s'), { headers: german })
  assert.match(answer.headers.get('cache-control') ?? '', /^public/)
  await rule(inCountries('DE'))
  assert.equal(await untilStatus(address, german, 403), 403)
  assert.equal((await fetch(address, { headers: american })).status, 200)
  await rule()
  assert.equal(await untilStatus(address, german, 200), 200)
})

test('the lowest priority decides, and disabled rules are ignored', async () => {
  await rule({ priority: 5 }, { priority: 2, policy: 'allow', ...inCountries('DE') })
  assert.equal((await get(`/embed/${id}`, german)).status, 200)
  assert.equal((await refusal(american)).code, 'not_shown')
  await rule({ priority: 1 }, { priority: 2, policy: 'allow', ...inCountries('DE') })
  assert.equal((await get(`/embed/${id}`, german)).status, 403)
  await rule({ priority: 1, enabled: false }, { enabled: false, policy: 'allow', ...inCountries('US') })
  assert.deepEqual(await statuses(german), all(200))
})

test('without country data a country rule refuses, and tells viewers nothing about settings', async () => {
  await rule(inCountries('FR'))
  const node = await api.startNode({})
  const { code, message } = await refusal({}, node.url)
  assert.equal(code, 'country_unknown')
  assert.match(message, /in which one you are is not known\.$/)
  await rule({ policy: 'allow', domains: ['example.com'], ...inCountries('FR') })
  assert.equal((await refusal({}, node.url)).code, 'wrong_site')
  await node.stop()
})

test('the header of a trusted proxy takes precedence over the country file', async () => {
  await rule({ policy: 'allow', ...inCountries('FR') })
  const told = { ...german, 'x-country': 'FR' }
  assert.deepEqual(await statuses(told), all(200))
  assert.deepEqual(await statuses({ ...german, 'x-country': 'T1' }), all(403))
  const strict = await api.startNode({ file, header: 'X-Country', trustedProxies: ['192.0.2.0/24'] })
  const { code } = await refusal(told, strict.url)
  assert.equal(code, 'country_unknown')
  await strict.stop()
  const headerOnly = await api.startNode({ header: 'x-country', trustedProxies: ['loopback'] })
  assert.equal((await get(`/embed/${id}`, { 'x-country': 'fr' }, player(), headerOnly.url)).status, 200)
  assert.equal((await refusal({ 'x-country': 'XX' }, headerOnly.url)).code, 'country_unknown')
  await headerOnly.stop()
})

const agents = {
  desktop:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
  roku: 'Roku/DVP-12.0 (12.0.0.4182)',
}
const deviceId = async (name: string) => (await api.as('admin').devices.list({ name })).response[0]?._id ?? ''

test('a device rule uses the User-Agent, by device or by its category', async () => {
  await rule({ device_ids: [await deviceId('iOS (HTML5)')] })
  assert.deepEqual(await statuses({ 'user-agent': agents.iphone }), all(403))
  assert.deepEqual(await statuses({ 'user-agent': agents.desktop }), all(200))
  assert.equal((await refusal({ 'user-agent': agents.iphone })).code, 'wrong_device')
  const { response } = await api.as('admin').device_categories.list({ name: 'TV box' })
  await rule({ policy: 'allow', device_category_ids: [response[0]?._id ?? ''] })
  assert.deepEqual(await statuses({ 'user-agent': agents.roku }), all(200))
  assert.deepEqual(await statuses({ 'user-agent': agents.iphone }), all(403))
  assert.deepEqual(await statuses({ 'user-agent': 'curl/8.0' }), all(403))
  const playlist = await (await get(`/manifest/${id}`, { 'user-agent': agents.roku })).text()
  const [address = ''] = playlist.match(/http:[^"\s]+index.m3u8/) ?? []
  // The component of a device that fetches segments has another User-Agent.
  assert.equal((await fetch(address, { headers: { 'user-agent': 'curl/8.0' } })).status, 200)
})

test('a new device or site rule stops issued URLs within seconds, until the player requests new ones', async () => {
  await rule()
  const headers = { 'user-agent': agents.iphone }
  const { response } = (await (await get(`/embed/${id}`, headers)).json()) as {
    response: { body: { status_url: string } }
  }
  const begun = async () => {
    const playlist = await (await get(`/manifest/${id}`, headers)).text()
    return playlist.match(/http:[^"\s]+index.m3u8/)?.[0] ?? ''
  }
  const [address, iphone] = [await begun(), await deviceId('iOS (HTML5)')]
  assert.equal((await fetch(address)).status, 200)
  await rule({ device_ids: [iphone] })
  assert.equal(await untilStatus(address, {}, 403), 403)
  assert.equal(((await (await fetch(address)).json()) as { code: string }).code, 'not_told')
  assert.equal((await fetch(response.body.status_url, { headers })).status, 403)

  // If the rule allows the device, our player gets a new URL automatically; others request it again.
  await rule({ policy: 'allow', device_ids: [iphone] })
  assert.equal((await fetch(address, { headers })).status, 403)
  const again = await fetch(response.body.status_url, { headers })
  const { src } = (await again.json()) as { src: string }
  assert.deepEqual([again.status, (await fetch(src)).status], [200, 200])
  assert.equal((await fetch(await begun())).status, 200)

  // A device rule for another country does not invalidate the URL.
  await rule({ device_ids: [iphone], ...inCountries('US') })
  assert.equal(await untilStatus(address, german, 200), 200)
  await rule({ domains: ['example.com'] })
  assert.equal(await untilStatus(address, {}, 403), 403)
  assert.equal((await fetch(response.body.status_url, { headers })).status, 403)
})

test('requests of an app count for the devices that its record names', async () => {
  const admin = api.as('admin')
  await admin.apps.update(api.channel.app._id, { device_ids: [await deviceId('Roku')] })
  await rule({ policy: 'allow', device_ids: [await deviceId('Roku')] })
  const app = `app_key=${api.channel.app_key}`
  assert.deepEqual(await statuses({ 'user-agent': 'MyApp/1.0' }, app), all(200))
  assert.deepEqual(await statuses({ 'user-agent': agents.iphone }, app), all(200))
  assert.deepEqual(await statuses({ 'user-agent': 'MyApp/1.0' }), all(403))
  await admin.apps.update(api.channel.app._id, { device_ids: [] })
})

test('a site rule uses the page around the player', async () => {
  await rule({ policy: 'allow', domains: ['example.com', '*.example.org', 'localhost:3000'] })
  const embedded = paths().slice(0, 4)
  const at = (referer: string) =>
    Promise.all(embedded.map(async (path) => (await get(path, { referer })).status))
  for (const page of ['https://example.com/a', 'http://www.example.org:8080/', 'http://localhost:3000/x'])
    assert.deepEqual(await at(page), [200, 200, 200, 200], page)
  for (const page of [
    'https://www.example.com/',
    'https://example.org/',
    'http://localhost:3001/',
    'https://notexample.org/',
  ])
    assert.deepEqual(await at(page), [403, 403, 403, 403], page)
  assert.deepEqual(await statuses({}), all(403))
  assert.equal((await get(`/watch/${id}`, { referer: 'https://example.com/' })).status, 403)
  const playlist = await (await get(`/manifest/${id}`, { origin: 'https://example.com' })).text()
  const [address = ''] = playlist.match(/http:[^"\s]+index.m3u8/) ?? []
  assert.equal((await fetch(address)).status, 200)
  await rule({ domains: ['example.com'] })
  assert.equal((await get(`/embed/${id}.html`, { referer: 'https://example.com/' })).status, 403)
  assert.deepEqual(await statuses({}), all(200))
})

test('a rule with times matches requests between them', async () => {
  const [past, future] = [-3_600_000, 3_600_000].map((more) => new Date(Date.now() + more).toISOString())
  await rule({ policy: 'allow', starts_at: future ?? null })
  assert.deepEqual(await statuses({}), all(403))
  assert.equal((await refusal({})).code, 'wrong_time')
  await rule({ policy: 'allow', starts_at: past ?? null, ends_at: future ?? null })
  assert.deepEqual(await statuses({}), all(200))
  await rule({ ends_at: past ?? null })
  assert.deepEqual(await statuses({}), all(200))
})

test('a rule matches viewers who meet all its conditions', async () => {
  await rule({ policy: 'allow', device_ids: [await deviceId('Roku')], ...inCountries('DE') })
  assert.equal((await get(`/embed/${id}`, { ...german, 'user-agent': agents.roku })).status, 200)
  assert.equal((await refusal({ ...german, 'user-agent': agents.desktop })).code, 'wrong_device')
  assert.equal((await refusal({ ...american, 'user-agent': agents.roku })).code, 'wrong_country')
})

test('rules do not apply to super watchers and the admin key, but to members', async () => {
  await rule({})
  const { _id, access_token } = await api.channel.consumer()
  const token = `access_token=${access_token}`
  assert.deepEqual(await statuses({}, token), all(403))
  assert.deepEqual(await statuses({}, `api_key=${api.channel.keys.admin}`), all(200))
  await api.as('admin').consumers.update(_id, { super_watcher: true })
  assert.deepEqual(await statuses({}, token), all(200))
  const playlist = await (await get(`/manifest/${id}`, {}, token)).text()
  const [address = ''] = playlist.match(/http:[^"\s]+index.m3u8/) ?? []
  assert.equal((await fetch(address)).status, 200)
})

test('snippets, oEmbed and the record are not refused, but contain no media URL', async () => {
  await rule({})
  const key = `api_key=${api.channel.keys.read_only}`
  assert.equal((await get(`/videos/${id}/player`, {}, key)).status, 200)
  const url = encodeURIComponent(`${api.url}/watch/${id}?${player()}`)
  assert.equal((await fetch(`${api.url}/oembed?url=${url}`)).status, 200)
  const read = async () => {
    const reply = await get(`/videos/${id}`, {}, `${key}&manifest=true`)
    return ((await reply.json()) as { response: { manifest?: string } }).response.manifest
  }
  assert.equal(await read(), undefined)
  await rule()
  assert.match((await read()) ?? '', /master\.m3u8$/)
})
