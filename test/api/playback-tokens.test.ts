/** Playback tokens: anyone who has one may watch one video, or the videos of one playlist, for a while. */
import assert from 'node:assert/strict'
import { createHmac, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openPlaybackToken, signPlaybackToken } from '../../packages/server/src/auth/playback-tokens.js'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip } from '../support/media.js'
import { until } from '../support/patience.js'
import { note } from '../support/secrets.js'

let api: TestApi
let id: string
let other: string
before(async () => {
  api = await startOwnApi()
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Harbour')
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  id = _id
  await admin().videos.update(id, { subscription_required: true })
  other = (await admin().videos.create({ title: 'Another', subscription_required: true }))._id
})
after(() => api.stop())

const admin = () => api.as('admin')
const get = (path: string, token: string) =>
  fetch(`${api.url}${path}?${new URLSearchParams({ playback_token: token })}`)
const paths = () => [
  `/embed/${id}`,
  `/embed/${id}.html`,
  `/embed/${id}.js`,
  `/manifest/${id}.m3u8`,
  `/watch/${id}`,
]
const statuses = (token: string) => Promise.all(paths().map(async (path) => (await get(path, token)).status))
const all = (status: number) => paths().map(() => status)

async function serverToken(expires_in = 600): Promise<string> {
  const { token } = await admin().video_playback_tokens.create(id, { expires_in })
  note(token)
  return token
}

/** The addresses in a playlist, and the first segment. */
async function firstSegment(token: string): Promise<string> {
  const master = await (await get(`/manifest/${id}.m3u8`, token)).text()
  const [playlist = ''] = master.match(/https?:[^"\s]+hls_\d+p\/index\.m3u8/) ?? []
  assert.match(await (await fetch(playlist)).text(), /^0\.m4s$/m)
  return new URL('0.m4s', playlist).href
}

test('a token opens its video everywhere a player asks, and nothing else', async () => {
  assert.deepEqual(
    await statuses(''),
    all(401).map((status, index) => (index === 4 ? 403 : status)),
  )
  const token = await serverToken()
  assert.deepEqual(await statuses(token), all(200))
  const inHeader = await fetch(`${api.url}/embed/${id}`, { headers: { 'x-playback-token': token } })
  assert.equal(inHeader.status, 200)
  assert.equal((await get(`/embed/${other}.html`, token)).status, 403)
  for (const path of ['/videos', `/videos/${id}`, '/account'])
    assert.equal((await get(path, token)).status, 401, path)
  const page = await (await get(`/watch/${id}`, token)).text()
  assert.equal(page.includes(token), false)
})

test('its addresses are for anyone who has the token, end with it, and are in no shared cache', async () => {
  const token = await serverToken(60)
  const segment = await firstSegment(token)
  const reply = await fetch(segment)
  assert.equal(reply.status, 200)
  const [, seconds] =
    /^private, max-age=(\d+), immutable$/.exec(reply.headers.get('cache-control') ?? '') ?? []
  assert.ok(Number(seconds) <= 60, String(seconds))
  await reply.arrayBuffer()
})

test('oEmbed gives a frame that plays, uncached', async () => {
  const token = await serverToken()
  const url = `${api.url}/watch/${id}?playback_token=${token}`
  const reply = await fetch(`${api.url}/oembed?${new URLSearchParams({ url })}`)
  assert.deepEqual([reply.status, reply.headers.get('cache-control')], [200, 'private, no-store'])
  const { html } = (await reply.json()) as { html: string }
  const src = /src="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.equal((await fetch(src)).status, 200)
})

test('an unpublished video stays closed, and so do sites that the channel does not name', async () => {
  const token = await serverToken()
  await admin().videos.update(id, { active: false })
  assert.deepEqual(await statuses(token), all(404))
  await admin().videos.update(id, { active: true })
  await admin().account.update({ embed_domains: ['example.com'] })
  assert.equal((await get(`/manifest/${id}.m3u8`, token)).status, 403)
  await admin().account.update({ embed_domains: [] })
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
const claims = () => ({ aud: 'video', sub: id, iat: now(), exp: now() + 600 })

function signed(key: { _id: string; private_key: string | null }, payload: object, header = {}): string {
  const text = `${encode({ alg: 'ES256', typ: 'JWT', kid: key._id, ...header })}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(text), {
    key: key.private_key ?? '',
    dsaEncoding: 'ieee-p1363',
  })
  return `${text}.${signature.toString('base64url')}`
}

test('a token that a signing key signed works like one of the server, until the key is removed', async () => {
  const key = await admin().signing_keys.create({ name: 'Web shop' })
  note(key.private_key ?? '')
  assert.equal((await admin().signing_keys.get(key._id)).private_key, null)
  const token = signed(key, claims())
  assert.deepEqual(await statuses(token), all(200))
  const segment = await firstSegment(token)
  assert.equal((await fetch(segment)).status, 200)

  const refused = {
    'no iat': signed(key, { ...claims(), iat: undefined }),
    'no exp': signed(key, { ...claims(), exp: undefined }),
    'too long': signed(key, { ...claims(), exp: now() + 86_400 * 2 }),
    'made in the future': signed(key, { ...claims(), iat: now() + 3600, exp: now() + 7200 }),
    'not valid yet': signed(key, { ...claims(), nbf: now() + 3600 }),
    expired: signed(key, { ...claims(), iat: now() - 60, exp: now() - 1 }),
    'another audience': signed(key, { ...claims(), aud: 'api' }),
    'no subject': signed(key, { ...claims(), sub: undefined }),
    'no key id': signed(key, claims(), { kid: undefined }),
    'an unknown key': signed(key, claims(), { kid: 'f'.repeat(24) }),
    'another algorithm': signed(key, claims(), { alg: 'HS256' }),
    unsigned: `${encode({ alg: 'none', kid: key._id })}.${encode(claims())}.`,
    altered: `${token.slice(0, -4)}AAAA`,
    'signed with the public key': (() => {
      const text = `${encode({ alg: 'HS256', kid: key._id })}.${encode(claims())}`
      return `${text}.${createHmac('sha256', key.public_key).update(text).digest('base64url')}`
    })(),
  }
  for (const [why, bad] of Object.entries(refused))
    assert.equal((await get(`/embed/${id}`, bad)).status, 401, why)

  const theirs = await api.other.as('admin').signing_keys.create({ name: 'Other channel' })
  note(theirs.private_key ?? '')
  assert.equal((await get(`/embed/${id}`, signed(theirs, claims()))).status, 404)

  await admin().signing_keys.remove(key._id)
  assert.deepEqual(await statuses(token), all(401))
  await until('403 of the segment', async () => (await fetch(segment)).status === 403)
})

test('a token of a playlist opens the videos that are in it', async () => {
  const { _id } = await admin().playlists.create({ title: 'Harbours' })
  const { token } = await admin().playlist_playback_tokens.create(_id, {})
  note(token)
  assert.equal((await get(`/embed/${id}`, token)).status, 403)
  await admin().playlists.addVideos(_id, { video_id: [id] })
  assert.deepEqual(await statuses(token), all(200))
  await admin().playlists.removeVideos(_id, { video_id: [id] })
  assert.equal((await get(`/embed/${id}`, token)).status, 403)
})

test('snippets and carousels that are requested with a token play with it', async () => {
  const { _id } = await admin().playlists.create({ title: 'In a row' })
  await admin().playlists.addVideos(_id, { video_id: [id] })
  const { token } = await admin().playlist_playback_tokens.create(_id, {})
  note(token)
  const { response } = (await (await get(`/videos/${id}/player`, token)).json()) as {
    response: Record<string, string>
  }
  for (const name of ['page_url', 'share_url', 'manifest_url', 'oembed_url'])
    assert.equal((await fetch(response[name] ?? '')).status, 200, name)
  for (const name of ['iframe', 'script', 'element']) assert.ok(response[name]?.includes(token), name)
  const page = await (await get(`/playlists/${_id}/carousel.html`, token)).text()
  const src = /src="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.equal((await fetch(src)).status, 200)
  assert.ok((await (await get(`/playlists/${_id}/carousel.js`, token)).text()).includes(token))
  await admin().playlists.remove(_id)
})

test('a token that the server signed is bound to its channel and its time', async () => {
  const { sealer } = api.parts
  const { db } = api.database
  const site_id = api.channel.channel._id
  const given = { site_id, audience: 'video', subject: id, expires: Date.now() + 60_000 } as const
  const token = signPlaybackToken(sealer, given)
  const [head = '', payload = '', signature = ''] = token.split('.')
  const claimed = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const moved = `${head}.${encode({ ...claimed, iss: api.other.channel._id })}.${signature}`
  await assert.rejects(openPlaybackToken(db, sealer, moved), { status: 401 })
  await assert.rejects(openPlaybackToken(db, sealer, token, Date.now() + 61_000), {
    status: 401,
    code: 'playback_token_expired',
  })
})
