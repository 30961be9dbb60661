import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listKeys } from '../../packages/server/src/auth/keys.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { endpoints, makeTarget, perform } from './access-targets.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`5 an API key is passed as the query parameter api_key (${format})`, async () => {
    const { admin } = api.channel.keys
    assert.equal((await ask(`${api.url}/videos?api_key=${admin}`, format)).status, 200)
    assert.equal((await ask(`${api.url}/videos?app_key=${admin}`, format)).status, 401)
  })

  test(`5 an app key is passed as the query parameter app_key (${format})`, async () => {
    const { app_key } = api.channel
    assert.equal((await ask(`${api.url}/videos?app_key=${app_key}`, format)).status, 200)
    assert.equal((await ask(`${api.url}/videos?api_key=${app_key}`, format)).status, 401)
  })

  test(`5 an access token is passed as the query parameter access_token (${format})`, async () => {
    const { admin } = api.channel.keys
    assert.equal((await ask(`${api.url}/videos?access_token=${'0'.repeat(64)}`, format)).status, 401)
    assert.equal((await ask(`${api.url}/videos?access_token=x&api_key=${admin}`, format)).status, 422)
  })

  test(`5 an app key is made when an app is set up, one per app, each its own (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const [web, roku] = [await apps.create({ title: 'Web' }), await apps.create({ title: 'Roku' })]
    assert.equal(new Set([web.app_key, roku.app_key, web.client_secret, roku.client_secret]).size, 4)
    assert.notEqual(web.client_id, roku.client_id)
    for (const { app_key } of [web, roku])
      assert.equal((await ask(`${api.url}/videos?app_key=${app_key}`, format)).status, 200)
  })

  test(`5 an app key is retrievable from the app's details (${format})`, async () => {
    const { apps } = api.as('admin', format)
    const made = await apps.create({ title: 'Fire TV' })
    assert.deepEqual(await apps.get(made._id), made)
  })

  test(`5.1 the admin key has full access to the account (${format})`, async () => {
    const { videos, apps, account } = api.as('admin', format)
    const video = await videos.create({ title: 'Mine' })
    await videos.update(video._id, { title: 'Still mine' })
    await videos.remove(video._id)
    await videos.restore(video._id)
    const app = await apps.create({ title: 'Mine' })
    await apps.rotate(app._id)
    await apps.remove(app._id)
    const { title } = await account.get()
    assert.equal((await account.update({ title })).title, title)
  })

  test(`5.1 the read only key reads the catalogue (${format})`, async () => {
    const made = await api.as('admin').videos.create({ title: 'For viewers' })
    const { videos } = api.as('read_only', format)
    assert.deepEqual(await videos.get(made._id), made)
    assert.deepEqual((await videos.list({ id: made._id })).response, [made])
  })

  test(`5.1 the read only key cannot create or modify resources (${format})`, async () => {
    const made = await api.as('admin').videos.create({ title: 'Kept' })
    const { videos, apps, account } = api.as('read_only', format)
    const { channel } = api.channel
    await assert.rejects(videos.create({ title: 'No' }), { status: 403 })
    await assert.rejects(videos.update(made._id, { title: 'No' }), { status: 403 })
    await assert.rejects(videos.remove(made._id), { status: 403 })
    await assert.rejects(apps.create({ title: 'No' }), { status: 403 })
    await assert.rejects(account.update({ title: 'No' }), { status: 403 })
    assert.deepEqual(await api.as('admin').videos.get(made._id), made)
    assert.equal((await api.as('admin').account.get()).title, channel.title)
  })

  test(`5.1 the player key may only issue player requests: every resource is closed to it (${format})`, async () => {
    const headers = { 'x-api-key': api.channel.keys.player }
    const { _id: owner } = await api.channel.consumer()
    for (const endpoint of endpoints) {
      const target = await makeTarget(api, api.channel, endpoint, owner)
      const { status } = await perform(api, endpoint, target, headers, format)
      assert.equal(status, 403, `${endpoint.method} ${endpoint.path}`)
    }
  })
}

test('5.1 every channel is set up automatically with three API keys', async () => {
  for (const { channel, keys } of [api.channel, api.other]) {
    const shown = await listKeys(api.database.db, api.parts.sealer, channel._id)
    const byKind = Object.fromEntries(shown.map(({ kind, key }) => [kind, key]))
    assert.equal(shown.length, 3)
    assert.deepEqual(byKind, keys)
  }
})

test('5.1 no key of one channel is a key of another', () => {
  const keys = [api.channel, api.other].flatMap((channel) => Object.values(channel.keys))
  assert.equal(new Set(keys).size, 6)
})
