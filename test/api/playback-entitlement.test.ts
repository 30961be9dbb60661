import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { globalPlan } from './access-targets-money.js'

let api: TestApi
let id: string
before(async () => {
  api = await startOwnApi()
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip({ seconds: 1 }), 'Harbour')
  id = _id
  await untilPrepared(api, id)
  await worker.stop()
})
after(() => api.stop())

const free = {
  registration_required: false,
  subscription_required: false,
  pass_required: false,
  purchase_required: false,
  rental_required: false,
  redemption_code_required: false,
}
const ask = (terms: Partial<typeof free>) => api.as('admin').videos.update(id, { ...free, ...terms })
const paths = () => [
  `/embed/${id}`,
  `/embed/${id}.js`,
  `/embed/${id}.html`,
  `/manifest/${id}`,
  `/watch/${id}`,
]
const get = (path: string, query: string) => fetch(`${api.url}${path}?${query}`)
const statuses = async (query: string) =>
  Promise.all(paths().map(async (path) => (await get(path, query)).status))
const all = (status: number) => paths().map(() => status)
const without = () => [
  `api_key=${api.channel.keys.player}`,
  `api_key=${api.channel.keys.read_only}`,
  `app_key=${api.channel.app_key}`,
]
const entitledAt = (query: string) => get(`/videos/${id}/entitled`, query)

test('a share page contains no credential but the player key', async () => {
  const { keys, app_key, consumer } = api.channel
  const { access_token } = await consumer()
  for (const query of [`api_key=${keys.admin}`, `app_key=${app_key}`, `access_token=${access_token}`]) {
    const page = await (await get(`/watch/${id}`, query)).text()
    assert.equal(page.includes(query.split('=')[1] ?? ''), false)
    assert.ok(page.includes(keys.player))
  }
})

test('an admin key in a URL is not passed on', async () => {
  const { admin } = api.channel.keys
  const url = encodeURIComponent(`${api.url}/watch/${id}?api_key=${admin}`)
  const facts = await (await get('/oembed', `url=${url}`)).text()
  assert.equal(facts.includes(admin), false)
  assert.ok(facts.includes(api.channel.keys.player))
})

test('a link with a time starts there', async () => {
  assert.match(await (await get(`/watch/${id}`, 't=1m30s&start=4')).text(), / start="90"/)
  assert.doesNotMatch(await (await get(`/watch/${id}`, 't=soon')).text(), / start="/)
})

test('a video with registration_required needs a signed-in consumer', async () => {
  await ask({ registration_required: true })
  for (const query of without()) assert.deepEqual(await statuses(query), all(403))
  const { access_token } = await api.channel.consumer()
  assert.deepEqual(await statuses(`access_token=${access_token}`), all(200))
  assert.deepEqual(await statuses(`api_key=${api.channel.keys.admin}`), all(200))
})

test('a refusal says what is needed, as data and as a page', async () => {
  await ask({ subscription_required: true, rental_required: true })
  const [query = ''] = without()
  const refused = (await (await get(`/embed/${id}`, query)).json()) as Record<string, string>
  const message = 'To watch this video, subscribe or rent it. If you have, sign in.'
  assert.deepEqual([refused.code, refused.message], ['subscription_required', message])
  const page = await (await get(`/embed/${id}.html`, query)).text()
  assert.ok(page.includes('This video is for subscribers') && page.includes(message))
})

test('a share page of a video that is paid for has its title and poster, and the links of the channel', async () => {
  const { videos, account } = api.as('admin')
  await ask({ subscription_required: true, rental_required: true })
  await videos.update(id, {
    title: 'A "walk" <b>',
    description: 'By the sea.',
    custom_thumbnail_url: 'https://pictures.example/a.jpg',
  })
  const locked = async (query = '') => {
    const reply = await get(`/watch/${id}`, query)
    assert.equal(reply.status, 403)
    return reply.text()
  }
  const before = await locked()
  for (const part of [
    '<h1>A &quot;walk&quot; &lt;b&gt;</h1>',
    '<img src="https://pictures.example/a.jpg" alt="">',
    'To watch this video, subscribe or rent it. If you have, sign in.',
    '<p>Ask One how to get access.</p>',
  ])
    assert.ok(before.includes(part), part)
  assert.equal(/By the sea|<nav|<script|\/media\/|\/embed\/|zk_/.test(before), false)

  await account.update({
    sign_in_url: 'https://films.example/sign-in?for={video_id}',
    subscribe_url: 'https://films.example/plans',
    purchase_url: 'https://films.example/"><script>alert(1)</script>',
  })
  const links = (page: string) =>
    [...page.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].map(([, href, label]) => [label, href])
  const rent = ['Rent', 'https://films.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E']
  const subscribe = ['Subscribe', 'https://films.example/plans']
  const signIn = ['Sign in', `https://films.example/sign-in?for=${id}`]
  assert.deepEqual(links(await locked()), [rent, subscribe, signIn])
  const { access_token } = await api.channel.consumer()
  assert.deepEqual(links(await locked(`access_token=${access_token}`)), [rent, subscribe])
  await ask({ registration_required: true })
  assert.deepEqual(links(await locked()), [signIn])
  await ask({ subscription_required: true })
  await videos.update(id, { active: false })
  assert.equal((await get(`/watch/${id}`, '')).status, 404)
  await videos.update(id, { active: true, title: 'Harbour' })
})

test('a locked embed shows the poster, the reason, and a link to where access can be had', async () => {
  await ask({ subscription_required: true })
  const { thumbnails, friendly_title } = await api.as('admin').videos.get(id)
  const poster = thumbnails.find(({ url }) => url)?.url ?? ''
  const page = await fetch(`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}`)
  assert.equal(page.status, 403)
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src https: http: data:/)
  const text = await page.text()
  assert.match(text, /<h1>This video is for subscribers<\/h1><p>To watch this video, subscribe\./)
  const shareUrl = `${api.url}/watch/${friendly_title}-${id}`
  assert.ok(text.includes(`<a href="${shareUrl}" target="_blank" rel="noopener">`), text)
  assert.equal(text.includes(poster), poster !== '')
  const script = await fetch(`${api.url}/embed/${id}.js?api_key=${api.channel.keys.player}`, {
    headers: { 'sec-fetch-dest': 'script' },
  })
  const loaded = await script.text()
  assert.ok(loaded.includes(`"shareUrl":"${shareUrl}"`), loaded)
  await api.as('admin').videos.update(id, { active: false })
  const hidden = await fetch(`${api.url}/embed/${id}.html?api_key=${api.channel.keys.player}`)
  assert.deepEqual([hidden.status, (await hidden.text()).includes('<a ')], [404, false])
  await api.as('admin').videos.update(id, { active: true })
})

test('a paid video needs an entitlement, and even segments stop when it ends', async () => {
  await ask({ purchase_required: true })
  const { _id: consumer_id, access_token } = await api.channel.consumer()
  const token = `access_token=${access_token}`
  assert.deepEqual(await statuses(token), all(403))
  assert.equal((await entitledAt(token)).status, 422)

  const { video_entitlements } = api.as('admin')
  const made = await video_entitlements.create(consumer_id, { video_id: id, transaction_type: 'purchase' })
  assert.deepEqual([made.consumer_id, made.video_id, made.expires_at], [consumer_id, id, null])
  assert.deepEqual(await statuses(token), all(200))
  assert.equal((await entitledAt(token)).status, 200)
  const playlist = await (await get(`/manifest/${id}`, token)).text()
  const [address = ''] = playlist.match(/http:[^"\s]+/) ?? []
  const segment = address.replace('index.m3u8', '0.m4s')
  const { status: isThere, headers } = await fetch(segment)
  assert.equal(isThere, 200)
  const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(headers.get('cache-control') ?? '') ?? []
  assert.ok(
    Number(seconds) <= 12 * 3600,
    'no cache keeps it longer than its address works, and none that many share',
  )

  await video_entitlements.update(consumer_id, made._id, { expires_at: new Date(Date.now() - 1000) })
  assert.deepEqual(await statuses(token), all(403))
  let status = 200
  for (let tries = 0; tries < 400 && status === 200; tries += 1) {
    await delay(100)
    status = (await fetch(segment)).status
  }
  assert.equal(status, 403)
})

test('a signed URL does not bypass the entitlement for other viewers', async () => {
  await ask({})
  const playlist = await (await get(`/manifest/${id}`, without()[0] ?? '')).text()
  const [address = ''] = playlist.match(/http:[^"\s]+/) ?? []
  assert.equal((await fetch(address)).status, 200)
  await ask({ pass_required: true })
  let status = 200
  for (let tries = 0; tries < 400 && status === 200; tries += 1) {
    await delay(100)
    status = (await fetch(address)).status
  }
  assert.equal(status, 403)
})

test('an unrestricted video has the same signed URL for everybody', async () => {
  await ask({})
  const { access_token } = await api.channel.consumer()
  const [mine, theirs] = await Promise.all(
    [`access_token=${access_token}`, without()[0] ?? ''].map(async (query) =>
      (await get(`/manifest/${id}`, query)).text(),
    ),
  )
  assert.equal(mine, theirs)
})

test('subscribers may watch videos for subscribers, and super watchers everything', async () => {
  await ask({ subscription_required: true })
  const { _id, access_token } = await api.channel.consumer()
  const token = `access_token=${access_token}`
  assert.deepEqual(await statuses(token), all(403))
  const { plans, subscriptions } = api.as('admin')
  const { _id: plan_id } = await plans.create(globalPlan)
  await subscriptions.create({ consumer_id: _id, plan_id })
  assert.deepEqual(await statuses(token), all(200))
  await ask({ purchase_required: true })
  assert.deepEqual(await statuses(token), all(403))
  await api.as('admin').consumers.update(_id, { super_watcher: true })
  assert.deepEqual(await statuses(token), all(200))
})

test('a plan or a purchase of a category playlist opens its films in player and manifest', async () => {
  const { categories, playlists, plans, subscriptions, playlist_entitlements, videos } = api.as('admin')
  const { _id: category_id } = await categories.create({ title: 'Genre', values: ['Noir', 'Western'] })
  const parent = await playlists.create({ title: 'Everything dark' })
  const { _id: playlist_id } = await playlists.create({
    title: 'Noir',
    parent_id: parent._id,
    playlist_type: 'category',
    categories: [{ category_id, value: ['Noir'] }],
  })
  const buyer = await api.channel.consumer()
  const subscriber = await api.channel.consumer()
  await playlist_entitlements.create(buyer._id, { playlist_id })
  const tiered = { ...globalPlan, entitlement_type: 'tiered' as const, playlist_ids: [parent._id] }
  const { _id: plan_id } = await plans.create(tiered)
  await subscriptions.create({ consumer_id: subscriber._id, plan_id })
  const both = async () => [
    await statuses(`access_token=${buyer.access_token}`),
    await statuses(`access_token=${subscriber.access_token}`),
  ]
  await ask({ purchase_required: true, subscription_required: true })
  assert.deepEqual(await both(), [all(403), all(403)])
  const { categories: entries } = await videos.update(id, {
    categories_attributes: [{ category_id, value: ['Noir'] }],
  })
  assert.deepEqual(await both(), [all(200), all(200)])
  const own = await fetch(`${api.url}/consumer/videos?access_token=${buyer.access_token}&video_id=${id}`)
  const { response } = (await own.json()) as { response: { video_id: string; video_title: string }[] }
  assert.deepEqual(
    response.map(({ video_id, video_title }) => [video_id, video_title]),
    [[id, 'Harbour']],
  )
  await playlists.update(playlist_id, { categories: [{ category_id, value: ['Western'] }] })
  assert.deepEqual(await both(), [all(403), all(403)])
  await videos.update(id, { categories_attributes: [{ id: entries[0]?._id ?? '', value: ['Western'] }] })
  assert.deepEqual(await both(), [all(200), all(200)])
  await videos.update(id, { categories_attributes: [] })
  assert.deepEqual(await both(), [all(403), all(403)])
})

test('oEmbed reveals nothing about restricted videos', async () => {
  await ask({ rental_required: true })
  const url = encodeURIComponent(`${api.url}/watch/${id}?api_key=${api.channel.keys.player}`)
  const reply = await fetch(`${api.url}/oembed?url=${url}`)
  assert.equal(reply.status, 401)
  assert.equal((await reply.text()).includes('Harbour'), false)
})

test('a consumer can read their own entitlements as existing apps do, and create none', async () => {
  const { _id, access_token } = await api.channel.consumer()
  const form = new URLSearchParams({ 'entitlement[video_id]': id, 'entitlement[transaction_id]': 't-1' })
  const made = await fetch(`${api.url}/consumers/${_id}/videos?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: form,
  })
  assert.equal(made.status, 201)
  const list = await fetch(
    `${api.url}/consumers/${_id}/videos?access_token=${access_token}&transaction_id=t-1`,
  )
  const { response } = (await list.json()) as { response: { video_id: string }[] }
  assert.deepEqual(
    response.map(({ video_id }) => video_id),
    [id],
  )
  const other = await api.channel.consumer()
  assert.equal(
    (await fetch(`${api.url}/consumers/${_id}/videos?access_token=${other.access_token}`)).status,
    404,
  )
  const own = await fetch(`${api.url}/consumers/${_id}/videos?access_token=${access_token}`, {
    method: 'POST',
    body: form,
  })
  assert.equal(own.status, 403)
  const nothing = await fetch(`${api.url}/consumers/${_id}/videos?api_key=${api.channel.keys.admin}`, {
    method: 'POST',
    body: new URLSearchParams({ 'entitlement[video_id]': 'f'.repeat(24) }),
  })
  assert.equal(nothing.status, 404)
})
