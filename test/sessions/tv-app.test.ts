import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, formType, looseForm, type PlayerData, type Stage, setStage, watch } from './stage.js'

/*
 * A TV app as those for boxes are written: its app key in every query string, slashes at the end of paths, all filters
 * sent whether they have a value or not, `order=dsc`, pages counted from one, writes in the query string.
 */

let stage: Stage
let url: string
let key: string
before(async () => {
  stage = await setStage()
  url = stage.api.url
  key = `app_key=${stage.api.channel.app_key}`
})
after(() => stage.api.stop())

const device = 'roku-4E1F-livingroom'
const box = { 'user-agent': 'Roku/DVP-9.10' }
const read = (path: string, query = '') => ask(`${url}${path}?${query}`, 'json', { headers: box })

test('at start it reads its settings and fills its rows', async () => {
  const { app } = stage.api.channel
  const settings = { featured_playlist_id: stage.featured, device_linking: true, theme: 'dark' }
  await stage.api.as('admin').apps.update(app._id, { per_page: 20, settings })

  const own = await read('/app/', key)
  assert.equal(own.status, 200)
  const { featured_playlist_id, device_linking, per_page } = own.body.response
  assert.deepEqual([featured_playlist_id, device_linking, per_page], [stage.featured, true, 20])

  const rows = await read(
    '/playlists/',
    `${key}&parent_id=&active=true&sort=priority&order=dsc&page=1&per_page=500`,
  )
  assert.deepEqual(
    rows.body.response.map(({ title }) => title),
    ['Featured'],
  )
  const { current, previous, next, per_page: size, pages } = rows.body.pagination
  assert.deepEqual([current, previous, next, size, pages], [1, null, null, 100, 1])

  const videos = await read(
    `/playlists/${featured_playlist_id}/videos/`,
    `${key}&dpt=&category=&zobject_id=&q=&sort=&order=&page=1&per_page=1`,
  )
  assert.equal(videos.status, 200, videos.body.message)
  assert.deepEqual([videos.body.response.length, videos.body.pagination.next], [1, 2])
  const second = await read(`/playlists/${featured_playlist_id}/videos`, `${key}&page=2&per_page=1`)
  assert.deepEqual(
    [...videos.body.response, ...second.body.response].map(({ _id }) => _id),
    [stage.film, stage.premiere],
  )
})

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly created_at: number
  readonly expires_in: number
}

async function token(
  fields: Readonly<Record<string, string>>,
): Promise<Tokens & { readonly status: number }> {
  const { client_id, client_secret } = stage.api.channel.app
  const reply = await ask(`${url}/oauth/token/`, 'json', {
    method: 'POST',
    headers: { ...box, 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret, ...fields }),
  })
  return { status: reply.status, ...(reply.body as unknown as Tokens) }
}

test('it is linked with a PIN, signs in, is refused what the viewer has not paid for, and plays what they have', async () => {
  const viewer = await stage.api
    .as('admin')
    .consumers.create({ email: 'tv@example.com', password: 'on the sofa' })
  const write = { method: 'POST', headers: { ...box, 'content-type': 'application/json' } }
  const acquired = await ask(`${url}/pin/acquire/?linked_device_id=${device}&${key}`, 'json', write)
  assert.equal(acquired.status, 201, acquired.body.message)
  const pin = String(acquired.body.response.pin)
  assert.equal((await read('/pin/status', `linked_device_id=${device}&${key}`)).body.response.linked, false)

  // The viewer, signed in on the channel's site, types the PIN there.
  const linked = await ask(`${url}/pin/link`, 'json', {
    method: 'POST',
    headers: { 'content-type': formType },
    body: looseForm({ _method: 'put', api_key: stage.api.channel.keys.admin, consumer_id: viewer._id, pin }),
  })
  assert.equal(linked.status, 200, linked.body.message)
  const status = (await read('/pin/status', `linked_device_id=${device}&${key}`)).body.response
  assert.deepEqual([status.linked, status.consumer_id, status.subscription_count], [true, viewer._id, 0])

  const signedIn = await token({ grant_type: 'password', linked_device_id: device, pin })
  assert.equal(signedIn.status, 200)
  assert.ok(Number.isInteger(signedIn.created_at + signedIn.expires_in))
  const as = `access_token=${signedIn.access_token}`
  const info = await read('/oauth/token/info/', as)
  assert.equal((info.body as unknown as { resource_owner_id: string }).resource_owner_id, viewer._id)
  assert.equal((await read(`/consumers/${viewer._id}/`, as)).body.response.email, 'tv@example.com')

  assert.equal((await read(`/videos/${stage.premiere}/entitled`, as)).status, 422)
  assert.equal((await read(`/embed/${stage.premiere}`, as)).status, 403)
  await stage.api.as('admin').subscriptions.create({ consumer_id: viewer._id, plan_id: stage.plan })
  const entitled = await read(`/videos/${stage.premiere}/entitled`, as)
  assert.deepEqual([entitled.status, typeof entitled.body.message], [200, 'string'])

  const player = await read(
    `/embed/${stage.film}`,
    `${as}&autoplay=true&uuid=${device}&app_id=&device_ifa=&vpi=1`,
  )
  const { body, video } = player.body.response as unknown as PlayerData
  assert.deepEqual([video.title, video.duration], ['Harbour', 2])
  const output = body.outputs.find(({ name }) => name === 'hls' || name === 'm3u8')
  assert.deepEqual(body.files, body.outputs)
  assert.ok((await watch(output?.url ?? '')) > 1000)

  const renewed = await token({ grant_type: 'refresh_token', refresh_token: signedIn.refresh_token })
  assert.equal(renewed.status, 200)
  assert.notEqual(renewed.access_token, signedIn.access_token)
})

test('a linked box gets a PIN that works again, keeps favourites, and can be unlinked', async () => {
  const again = await ask(`${url}/pin/acquire?linked_device_id=${device}&${key}`, 'json', { method: 'POST' })
  const { pin, consumer_id } = again.body.response as unknown as { pin: string; consumer_id: string }
  const { access_token } = await token({ grant_type: 'password', linked_device_id: device, pin })
  const favorites = `/consumers/${consumer_id}/video_favorites`
  const added = await ask(`${url}${favorites}/?video_id=${stage.film}&access_token=${access_token}`, 'json', {
    method: 'POST',
    headers: box,
  })
  assert.equal(added.status, 201, added.body.message)
  const listed = await read(`${favorites}/`, `access_token=${access_token}&page=1&per_page=100`)
  assert.deepEqual(
    listed.body.response.map(({ video_id }) => video_id),
    [stage.film],
  )
  const removed = await ask(`${url}${favorites}/${added.body.response._id}?_method=delete`, 'json', {
    method: 'POST',
    headers: { ...box, 'content-type': formType },
    body: `access_token=${access_token}&`,
  })
  assert.equal(removed.status, 204)

  const unlinked = await ask(`${url}/pin/unlink?consumer_id=${consumer_id}&pin=${pin}&${key}`, 'json', {
    method: 'PUT',
    headers: { ...box, 'content-type': 'application/json' },
  })
  assert.equal(unlinked.status, 200, unlinked.body.message)
  assert.equal((await read('/consumer/videos', `access_token=${access_token}`)).status, 401)
  assert.equal((await read('/pin/status', `linked_device_id=${device}&${key}`)).body.response?.linked, false)
})
