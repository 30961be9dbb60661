import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { signIn } from '@zoetrope/sdk'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { note } from '../support/secrets.js'
import { ask } from './ask.js'
import { asViewer, canSignIn, clientOf } from './viewers.js'

let api: TestApi
let viewer: TestConsumer
let stranger: TestConsumer
before(async () => {
  api = await startApi()
  viewer = await api.channel.consumer()
  stranger = await api.channel.consumer()
})
after(() => api.stop())

const app = () => `app_key=${api.channel.app_key}`
const nobody = 'f'.repeat(24)
const secret = (word: string) => {
  note(word)
  return word
}

for (const format of formats) {
  test(`fields that only the admin key may write are ignored for others (${format})`, async () => {
    const restricted = {
      ...{ super_watcher: true, stripe_id: 'mine', braintree_id: 'mine', recurly_code: 'mine' },
      ...{ rss_token: `rss of ${format}`, remember_token: `remember ${format}` },
    }
    const computed = { sign_in_count: 9, subscription_count: 9, email_verified_at: '2020-01-01T00:00:00Z' }
    const tokens = { rss_token: null, remember_token: null }
    const rest = { super_watcher: false, stripe_id: null, braintree_id: null, recurly_code: null, ...tokens }
    const unset = { ...rest, sign_in_count: 0, subscription_count: 0, email_verified_at: null }
    const email = `forger-${format}@example.com`
    const made = await api.as('app', format).consumers.create({ email, ...restricted, ...computed } as never)
    assert.deepEqual({ ...made, ...unset }, made)

    const before = await api.as('admin').consumers.get(viewer._id)
    const changed = await asViewer(api.url, viewer, format).consumers.update(viewer._id, {
      ...restricted,
      ...computed,
    } as never)
    assert.deepEqual(changed, { ...before, ...tokens, updated_at: changed.updated_at })
    assert.equal((await api.as('admin').consumers.get(viewer._id)).rss_token, before.rss_token)
    const taken = await api
      .as('admin', format)
      .consumers.update(made._id, { ...restricted, ...computed } as never)
    assert.deepEqual(taken, { ...made, ...restricted, updated_at: taken.updated_at })
  })

  test(`an app key can read a consumer by id, but no list (${format})`, async () => {
    const { consumers } = api.as('app', format)
    assert.equal((await consumers.get(viewer._id)).email, viewer.email)
    await assert.rejects(consumers.get(nobody), { status: 404 })
    for (const call of [
      () => consumers.list({ email: viewer.email }),
      () => consumers.update(viewer._id, { name: 'x' }),
      () => consumers.remove(viewer._id),
      () => consumers.endSessions(viewer._id),
    ])
      await assert.rejects(call, { status: 403 })
    await assert.rejects(api.other.as('app', format).consumers.get(viewer._id), { status: 404 })
  })

  test(`a consumer can read and change itself, and finds no other (${format})`, async () => {
    const { consumers } = asViewer(api.url, viewer, format)
    assert.equal((await consumers.get(viewer._id))._id, viewer._id)
    assert.equal((await consumers.update(viewer._id, { name: `Me, ${format}` })).name, `Me, ${format}`)
    const missing = { status: 404, message: 'Consumer not found' }
    const others = [
      stranger._id,
      (await api.other.as('admin').consumers.create({ email: `${format}@x.org` }))._id,
    ]
    for (const id of [...others, nobody, 'me']) {
      await assert.rejects(consumers.get(id), missing)
      await assert.rejects(consumers.update(id, { name: 'x' }), missing)
      await assert.rejects(consumers.remove(id), missing)
      await assert.rejects(consumers.endSessions(id), missing)
    }
    await assert.rejects(consumers.list(), { status: 403 })
    await assert.rejects(consumers.remove(viewer._id), { status: 403 })
    await assert.rejects(consumers.create({ email: 'child@example.com' }), { status: 403 })
    assert.equal((await api.as('admin').consumers.get(stranger._id)).name, null)
  })
}

test('a token of a narrower scope can read the catalogue but not its consumer', async () => {
  const { email: username, password, _id } = viewer
  const { access_token } = await signIn({ ...clientOf(api), username, password, scope: 'public' })
  const client = asViewer(api.url, { access_token })
  assert.equal((await client.videos.list()).pagination.current, 0)
  for (const call of [
    () => client.consumers.get(_id),
    () => client.consumers.update(_id, { name: 'x' }),
    () => client.consumers.endSessions(_id),
    () => client.sessions.list(_id),
    () => client.video_favorites.list(_id),
    () => client.linked_devices.list(_id),
    () => client.pin.link({ pin: 'aaaaaaa' }),
  ])
    await assert.rejects(call, { status: 403 })
  await assert.rejects(client.consumers.get(stranger._id), { status: 404 })
})

test('a viewer signs up with an app key in a form, JSON, a query string or XML', async () => {
  const password = secret('sign me up & let me in')
  const address = (name: string) => `sign-up-${name}@example.com`
  const requests: Record<string, [query: string, init: RequestInit]> = {
    form: [
      '',
      {
        body: new URLSearchParams({
          app_key: api.channel.app_key,
          'consumer[email]': address('form'),
          'consumer[password]': password,
          'consumer[custom][plan]': 'gold',
        }),
      },
    ],
    json: [
      app(),
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: address('json'), password, custom: { plan: 'gold' } }),
      },
    ],
    query: [
      `${app()}&consumer[email]=${address('query')}&consumer[password]=${encodeURIComponent(password)}&consumer[custom][plan]=gold`,
      { headers: { 'content-type': 'application/json' } },
    ],
    xml: [
      app(),
      {
        headers: { 'content-type': 'text/xml' },
        body: `<consumer><email>${address('xml')}</email><password>${password.replace('&', '&amp;')}</password><custom><plan>gold</plan></custom></consumer>`,
      },
    ],
  }
  for (const [name, [query, init]] of Object.entries(requests)) {
    const { status, body, text } = await ask(`${api.url}/consumers?${query}`, 'json', {
      method: 'POST',
      ...init,
    })
    assert.equal(status, 201, text)
    assert.deepEqual([body.response.email, body.response.custom], [address(name), { plan: 'gold' }])
    assert.equal(await canSignIn(api, address(name), password), true, name)
  }
})
