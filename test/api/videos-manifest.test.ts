import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prepare } from '../../packages/server/src/jobs/prepare.job.js'
import { formats, startApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { contextOf, uploadClip } from '../support/media.js'
import { ask } from './ask.js'

let api: TestApi
let id: string
before(async () => {
  api = await startApi()
  const { _id, site_id, data_sources } = await uploadClip(api, await makeClip({ seconds: 2 }), 'Film')
  await prepare.run({ site_id, source_id: data_sources[0]?._id ?? '' }, contextOf(api))
  id = _id
  await api.as('admin').videos.create({ title: 'No film' })
})
after(() => api.stop())

const read = (path: string, key = `api_key=${api.channel.keys.admin}`, format: 'json' | 'xml' = 'json') =>
  ask(`${api.url}${path}${path.includes('?') ? '&' : '?'}${key}`, format)

for (const format of formats)
  test(`with manifest=true a video shows the URL of its playlist, alone and in a list (${format})`, async () => {
    const { body } = await read(`/videos/${id}?manifest=true`, undefined, format)
    const { manifest, ...record } = body.response
    assert.equal((await fetch(String(manifest))).status, 200)
    assert.deepEqual(record, (await read(`/videos/${id}`, undefined, format)).body.response)

    const list = (await read('/videos?manifest=true', undefined, format)).body
    assert.deepEqual(
      list.response.map(({ _id, manifest: address }) => [_id === id, typeof address]),
      [
        [false, 'undefined'],
        [true, 'string'],
      ],
    )
    assert.deepEqual(list.pagination, (await read('/videos', undefined, format)).body.pagination)
  })

test('apps and viewers get the URL too, and can play it', async () => {
  const { access_token } = await api.channel.consumer()
  for (const key of [`app_key=${api.channel.app_key}`, `access_token=${access_token}`]) {
    const { response } = (await read(`/videos/${id}?manifest=true`, key)).body
    const master = await fetch(String(response.manifest))
    assert.equal(master.status, 200)
    assert.match(await master.text(), /#EXT-X-STREAM-INF/)
  }
})

test('without manifest=true nothing is added, and response_fields still applies', async () => {
  for (const path of [`/videos/${id}`, `/videos/${id}?manifest=false`, `/videos/${id}?manifest=`])
    assert.equal((await read(path)).body.response.manifest, undefined)
  const { response } = (await read(`/videos/${id}?manifest=true&response_fields=title`)).body
  assert.deepEqual(Object.keys(response).sort(), ['_id', 'manifest', 'title'])
  assert.equal((await read('/videos?manifest=perhaps')).status, 422)
})

test('restricted videos show no URL, nor do keys that are bound to sites', async () => {
  const { videos, account } = api.as('admin')
  for (const field of ['subscription_required', 'registration_required', 'rental_required'] as const) {
    await videos.update(id, { [field]: true })
    assert.equal((await read(`/videos/${id}?manifest=true`)).body.response.manifest, undefined)
    await videos.update(id, { [field]: false })
  }
  const bound = `api_key=${api.channel.keys.read_only}`
  assert.ok((await read(`/videos/${id}?manifest=true`, bound)).body.response.manifest)
  await api.database
    .db`update channels set embed_domains = '{films.example.com}' where _id = ${(await account.get())._id}`
  assert.equal((await read(`/videos/${id}?manifest=true`, bound)).body.response.manifest, undefined)
})
