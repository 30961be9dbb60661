import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@zoetrope/contract'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newVideo = async () => (await api.as('admin').videos.create({ title: 'Ruled' }))._id
const deviceOf = async (name: string, channel = api.channel) =>
  (await channel.as('admin').devices.list({ name })).response[0]?._id ?? ''

for (const format of formats) {
  test(`a rule on a video can be made, read, listed, changed and removed (${format})`, async () => {
    const { video_content_rules: rules } = api.as('admin', format)
    const video_id = await newVideo()
    const made = await rules.create(video_id, { geographies: [{ countries: ['de', 'AUT', 'DE'] }] })
    const whole: object = made
    assert.deepEqual(whole, {
      _id: made._id,
      site_id: api.channel.channel._id,
      created_at: made.created_at,
      updated_at: made.updated_at,
      video_id,
      name: null,
      policy: 'deny',
      priority: 1,
      stackable: true,
      enabled: true,
      geographies: [{ _id: made.geographies[0]?._id, countries: ['DE', 'AT'] }],
      device_ids: [],
      device_category_ids: [],
      domains: [],
      starts_at: null,
      ends_at: null,
    })
    assert.deepEqual(await rules.get(video_id, made._id), made)
    const first = await rules.create(video_id, { name: 'First', priority: 0, policy: 'allow' })
    const all = await rules.list(video_id)
    assert.deepEqual([all.response, all.pagination.per_page], [[first, made], 100])

    const device = await deviceOf('Roku')
    const given = { enabled: false, device_ids: [device], domains: ['*.example.com'], ends_at: '2030-01-01' }
    const changed = await rules.update(video_id, made._id, given)
    const expected = { ...given, ends_at: '2030-01-01T00:00:00.000Z', updated_at: changed.updated_at }
    assert.deepEqual(changed, { ...made, ...expected })
    assert.deepEqual((await rules.update(video_id, made._id, { geographies: [] })).geographies, [])

    await rules.remove(video_id, made._id)
    const missing = { status: 404, message: 'Video content rule not found' }
    await assert.rejects(rules.get(video_id, made._id), missing)
    await assert.rejects(rules.update(video_id, made._id, {}), missing)
    await assert.rejects(rules.remove(video_id, made._id), missing)
  })

  test(`the conditions of a rule must exist and be valid (${format})`, async () => {
    const { video_content_rules: rules } = api.as('admin', format)
    const video_id = await newVideo()
    const strange = 'must name countries by codes such as DE or DEU: XX is none'
    await assert.rejects(rules.create(video_id, { geographies: [{ countries: ['DE', 'XX'] }] }), {
      status: 422,
      errors: { geographies: [strange] },
    })
    await assert.rejects(rules.create(video_id, { geographies: [{ countries: [] }] }), { status: 422 })
    await assert.rejects(rules.create(video_id, { policy: 'maybe' as never }), { status: 422 })
    await assert.rejects(rules.create(video_id, { domains: ['https://x'] }), { status: 422 })
    const late = { status: 422, errors: { ends_at: ['must be after starts_at'] } }
    await assert.rejects(rules.create(video_id, { starts_at: '2030-01-02', ends_at: '2030-01-01' }), late)
    const { _id } = await rules.create(video_id, { starts_at: '2030-01-02' })
    await assert.rejects(rules.update(video_id, _id, { ends_at: '2030-01-02' }), late)
    const theirs = await deviceOf('Roku', api.other)
    await assert.rejects(rules.create(video_id, { device_ids: [theirs] }), {
      status: 404,
      message: 'Device not found',
    })
    const category = (await api.other.as('admin').device_categories.list()).response[0]?._id ?? ''
    await assert.rejects(rules.update(video_id, _id, { device_category_ids: [category] }), { status: 404 })
  })

  test(`rules of other videos and channels are not found (${format})`, async () => {
    const video_id = await newVideo()
    const { _id } = await api.as('admin').video_content_rules.create(video_id, {})
    const { video_content_rules: theirs } = api.other.as('admin', format)
    await assert.rejects(theirs.list(video_id), { status: 404, message: 'Video not found' })
    await assert.rejects(theirs.create(video_id, {}), { status: 404 })
    const ofOther = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
    await assert.rejects(theirs.get(ofOther, _id), { status: 404 })
    await assert.rejects(theirs.remove(ofOther, _id), { status: 404 })
    await assert.rejects(api.as('admin', format).video_content_rules.get(await newVideo(), _id), {
      status: 404,
    })
  })
}

test('a rule can be created by a form of existing apps, and by a query string alone', async () => {
  const video_id = await newVideo()
  const url = `${api.url}/videos/${video_id}/content_rules/?api_key=${api.channel.keys.admin}`
  const form =
    'content_rule[policy]=allow&content_rule[geographies][][countries][]=US&content_rule[geographies][][countries][]=CA&'
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const made = await ask(url, 'json', { method: 'POST', headers: type, body: form })
  const [geography] = made.body.response.geographies as { countries: string[] }[]
  assert.deepEqual(
    [made.status, made.body.response.policy, geography?.countries],
    [201, 'allow', ['US', 'CA']],
  )
  const query = await ask(`${url}&content_rule[name]=Two`, 'json', { method: 'POST' })
  assert.deepEqual([query.status, query.body.response.name], [201, 'Two'], query.text)
})

test('the limit on rules of a video holds, even for concurrent requests', async () => {
  const video_id = await newVideo()
  const { video_content_rules: rules } = api.as('admin')
  const most = limits.content_rules.value
  await api.database.db`
    insert into video_content_rules (_id, site_id, video_id)
    select lpad(to_hex(n), 24, '0'), ${api.channel.channel._id}, ${video_id} from generate_series(1, ${most - 1}) as n
  `
  const made = await Promise.allSettled([1, 2, 3].map(() => rules.create(video_id, {})))
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
})
