import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`an app reads itself by its key, with its settings beside the fields (${format})`, async () => {
    const { apps, devices } = api.as('admin')
    const device_ids = (await devices.list({ per_page: 2 })).response.map(({ _id }) => _id)
    const made = await apps.create({
      title: `Living room (${format})`,
      version: '2.1',
      device_ids,
      theme: 'dark',
      settings: {
        theme: 'not this one either',
        universal_svod: true,
        per_page: 7,
        title: 'not this one',
        _id: 'nor this',
        app_key: 'chosen by hand',
      },
    })
    const { status, body, text } = await ask(`${api.url}/app?app_key=${made.app_key}`, format)
    assert.equal(status, 200)
    assert.deepEqual(body.response, {
      device_linking: true,
      device_link_url: `${api.url}/link`,
      featured_playlist_id: null,
      in_app_purchase: false,
      theme: 'dark',
      universal_svod: true,
      app_key: 'chosen by hand',
      _id: made._id,
      site_id: made.site_id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      title: made.title,
      active: true,
      app_type_id: null,
      device_ids,
      version: '2.1',
      store_id: null,
      store_icon_url: null,
      per_page: made.per_page,
    })
    for (const secret of [made.app_key, made.client_id, made.client_secret]) assert.ok(!text.includes(secret))
  })

  test(`every app key reads its own app, and other keys get 404 (${format})`, async () => {
    assert.equal((await api.as('app', format).own_app.get())._id, api.channel.app._id)
    assert.equal((await api.other.as('app', format).own_app.get())._id, api.other.app._id)
    for (const who of ['read_only', 'player'] as const)
      await assert.rejects(api.as(who, format).own_app.get(), { status: 403 })
    const viewer = await api.channel.consumer()
    assert.equal((await asViewer(api.url, viewer, format).own_app.get())._id, api.channel.app._id)
    await assert.rejects(api.as('admin', format).own_app.get(), { status: 404, message: 'App not found' })
    assert.equal((await ask(`${api.url}/app`, format)).status, 401)
    const put = await ask(`${api.url}/app?app_key=${api.channel.app_key}`, format, { method: 'PUT' })
    assert.equal(put.status, 405)
  })
}

test('a new app has a theme, a featured playlist, and settings for sign-in and purchase', async () => {
  const { apps, playlists } = api.other.as('admin')
  const { app_key, _id } = await apps.create({ title: 'Fresh' })
  const read = async () => (await ask(`${api.url}/app?app_key=${app_key}`)).body.response
  const told = async () => {
    const { theme, featured_playlist_id, device_linking, in_app_purchase } = await read()
    return [theme, featured_playlist_id, device_linking, in_app_purchase]
  }
  assert.deepEqual(await told(), ['light', null, true, false])
  const second = await playlists.create({ title: 'Second', priority: 2 })
  const first = await playlists.create({ title: 'First', priority: 1 })
  await playlists.create({ title: 'Inside', priority: 0, parent_id: second._id })
  await playlists.create({ title: 'Hidden', priority: 0, active: false })
  assert.deepEqual(await told(), ['light', first._id, true, false])
  await apps.update(_id, {
    theme: 'dark',
    featured_playlist_id: second._id,
    device_linking: false,
    in_app_purchase: true,
  })
  assert.deepEqual(await told(), ['dark', second._id, false, true])
  await playlists.update(second._id, { active: false })
  assert.deepEqual(await told(), ['dark', first._id, false, true])
  await apps.update(_id, { featured_playlist_id: null })
  assert.deepEqual(await told(), ['dark', first._id, false, true])
  const foreign = (await api.as('admin').playlists.create({ title: 'Theirs' }))._id
  await assert.rejects(apps.update(_id, { featured_playlist_id: foreign }), { status: 404 })
})

test('an app that links devices elsewhere says so in its settings', async () => {
  const { apps } = api.as('admin')
  const settings = { device_link_url: 'https://tv.example.com/activate' }
  const { app_key, _id } = await apps.create({ title: 'Own page', device_linking: false, settings })
  const read = async () => (await ask(`${api.url}/app?app_key=${app_key}`)).body.response
  const { device_linking, device_link_url } = await read()
  assert.deepEqual([device_linking, device_link_url], [false, settings.device_link_url])
  await apps.update(_id, { title: 'Renamed', settings: {}, device_linking: true })
  const { title, device_linking: again } = await read()
  assert.deepEqual([title, again], ['Renamed', true])
  await apps.update(_id, { active: false })
  assert.equal((await ask(`${api.url}/app?app_key=${app_key}`)).status, 401)
})
