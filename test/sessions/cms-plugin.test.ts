import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Reply } from '../api/ask.js'
import { note } from '../support/secrets.js'
import { ask, formType, type Stage, setStage, watch } from './stage.js'

/*
 * A plugin of a content management system: it copies the library into its own pages, signs visitors in with forms of its
 * own, resets their passwords by itself, sells, and puts the player into frames. Parameters without a value are sent too.
 */

let stage: Stage
let url: string
let admin: string
before(async () => {
  stage = await setStage()
  url = stage.api.url
  admin = stage.api.channel.keys.admin
})
after(() => stage.api.stop())

const read = (path: string, query: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  ask(`${url}${path}?${new URLSearchParams({ api_key: admin, ...query })}`)

const submit = (path: string, fields: Readonly<Record<string, string>>, method = 'POST'): Promise<Reply> =>
  ask(`${url}${path}`, 'json', {
    method,
    headers: { 'content-type': formType },
    body: new URLSearchParams({ api_key: admin, ...fields }),
  })

test('it copies the library: categories, the tree of playlists, and videos that changed since the last time', async () => {
  const api = stage.api.as('admin')
  await api.playlists.create({ title: 'Inside', parent_id: stage.featured })
  const tree = await read('/playlists/relationships/')
  const { playlists } = tree.body as unknown as {
    playlists: { id: string; playlists: { title: string }[] }[]
  }
  assert.deepEqual(
    [playlists[0]?.id, playlists[0]?.playlists.map(({ title }) => title)],
    [stage.featured, ['Inside']],
  )
  assert.deepEqual((await read('/categories/', { page: '1', per_page: '100' })).body.response, [])

  const all = {
    page: '1',
    per_page: '100',
    sort: 'created_at',
    order: 'asc',
    active: 'all',
    type: '',
    status: '',
  }
  const before = await read('/videos/', { ...all, 'updated_at.gte': '' })
  assert.equal(before.body.response.length, 2)
  const since = String(
    before.body.response
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-1),
  )
  await api.videos.update(stage.premiere, { title: 'Première' })
  const later = await read('/videos/', { ...all, 'updated_at.gt': since })
  assert.deepEqual(
    later.body.response.map(({ title }) => title),
    ['Première'],
  )
  const one = await read(`/videos/${stage.premiere}.json`)
  assert.ok(Array.isArray(one.body.response.thumbnails) && Array.isArray(one.body.response.images))
  const xml = await ask(`${url}/videos/${stage.premiere}.xml?api_key=${admin}`)
  assert.match(xml.headers.get('content-type') ?? '', /xml/)
  assert.equal(xml.body.response.title, 'Première')
})

const password = 'a visitor’s password'
note(password)
let visitor: string

test('a visitor registers and signs in on the site, and sees an error for a wrong password', async () => {
  const made = await submit('/consumers/', {
    'consumer[email]': 'Visitor@Example.com',
    'consumer[name]': 'Visitor & Co',
    'consumer[password]': password,
    'consumer[custom][newsletter]': 'yes',
  })
  assert.equal(made.status, 201, made.body.message)
  visitor = String(made.body.response._id)
  const found = await read('/consumers/', { email: 'visitor@example.com', page: '1' })
  assert.deepEqual(
    found.body.response.map(({ _id }) => _id),
    [visitor],
  )
  assert.equal((await signIn('wrong password')).status, 401)
  assert.equal((await signIn(password)).status, 200)
})

const signIn = async (word: string) => {
  const { client_id, client_secret } = stage.api.channel.app
  const body = {
    client_id,
    client_secret,
    grant_type: 'password',
    username: 'visitor@example.com',
    password: word,
  }
  const reply = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) })
  return { status: reply.status, ...((await reply.json()) as { access_token: string }) }
}

test('it resets a password with a token of its own, which no record shows and which works once', async () => {
  const token = 'c9f1d2a4-plugin-token'
  note(token)
  const given = await submit(`/consumers/${visitor}`, { _method: 'put', 'consumer[password_token]': token })
  assert.equal(given.status, 200, given.body.message)
  assert.ok(!given.text.includes(token))
  const by = (password_token: string) => read('/consumers/', { email: 'visitor@example.com', password_token })
  assert.deepEqual((await by('a guess')).body.response, [])
  assert.deepEqual(
    (await by(token)).body.response.map(({ _id }) => _id),
    [visitor],
  )
  const renewed = 'another password'
  note(renewed)
  const changed = await submit(
    `/consumers/${visitor}`,
    { 'consumer[password]': renewed, 'consumer[name]': 'V' },
    'PUT',
  )
  assert.equal(changed.status, 200, changed.body.message)
  assert.equal((await signIn(renewed)).status, 200)
  assert.deepEqual((await by(token)).body.response, [])
})

test('it sells a subscription and shows the film in a frame, by script and as data', async () => {
  const plans = await ask(`${url}/plans/?api_key=${stage.api.channel.keys.read_only}&page=1&per_page=100`)
  const plan = String(plans.body.response[0]?._id)
  const { access_token } = await signIn('another password')
  const entitled = () => ask(`${url}/videos/${stage.premiere}/entitled?access_token=${access_token}`)
  assert.equal((await entitled()).status, 422)
  const sold = await submit('/subscriptions/', {
    'subscription[consumer_id]': visitor,
    'subscription[plan_id]': plan,
    'subscription[stripe_id]': 'sub_123',
    type: 'stripe',
  })
  assert.equal(sold.status, 201, sold.body.message)
  assert.equal((await entitled()).status, 200)
  const { response } = (await read('/subscriptions', { consumer_id: visitor, plan_id: '' })).body
  assert.deepEqual(
    response.map(({ stripe_id, payment_provider }) => [stripe_id, payment_provider]),
    [['sub_123', 'stripe']],
  )

  const player = `api_key=${stage.api.channel.keys.player}&autoplay=false&audio=false`
  const frame = await fetch(`${url}/embed/${stage.film}.html?${player}`)
  assert.match(frame.headers.get('content-type') ?? '', /text\/html/)
  const script = await fetch(`${url}/embed/${stage.film}.js?${player}`)
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  assert.ok((await script.text()).includes(stage.film))
  assert.ok((await watch(`${url}/manifest/${stage.film}.m3u8?access_token=${access_token}`)) > 1000)
  const cancelled = await submit(`/subscriptions/${sold.body.response._id}`, { _method: 'delete' })
  assert.equal(cancelled.status, 204)
  assert.equal((await entitled()).status, 422)
})
