import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { addPublisher, type Browser, call, signInAs, type TestPublisher } from '../support/publishers.js'

let api: TestApi
let viewer: TestPublisher
let browser: Browser
before(async () => {
  api = await startApi()
  viewer = await addPublisher(api, [api.channel, 'viewer'], [api.other, 'viewer'])
  browser = await signInAs(api, viewer)
})
after(() => api.stop())

const view = (name: string, state: unknown = { status: 'failed', layout: 'table' }) => ({
  page: 'videos',
  name,
  state,
})
const names = async (of = browser, channel = api.channel) =>
  (await of.call('GET', 'views', undefined, channel)).body.map(({ name }: { name: string }) => name)

test('a saved view belongs to its publisher and channel', async () => {
  const { status, body } = await browser.call('POST', 'views', view('Failed ones'), api.channel)
  assert.deepEqual(
    [status, body.name, body.state],
    [201, 'Failed ones', { status: 'failed', layout: 'table' }],
  )
  assert.deepEqual(await names(await signInAs(api, viewer)), ['Failed ones'], 'on another device')
  assert.deepEqual(await names(browser, api.other), [], 'in another channel')
  const colleague = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  assert.deepEqual(await names(colleague), [], 'for a colleague')

  for (const [method, fields] of [
    ['PUT', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await colleague.call(method, `views/${body._id}`, fields, api.channel)).status, 404)
    assert.equal((await browser.call(method, `views/${body._id}`, fields, api.other)).status, 404)
    assert.equal((await call(api.url, method, `views/${body._id}`, { body: fields })).status, 401)
  }
  const changed = await browser.call(
    'PUT',
    `views/${body._id}`,
    { name: 'Broken', state: { q: 'x' } },
    api.channel,
  )
  assert.deepEqual([changed.body.name, changed.body.state], ['Broken', { q: 'x' }])
  assert.equal((await browser.call('DELETE', `views/${body._id}`, undefined, api.channel)).status, 204)
  assert.deepEqual(await names(), [])
})

test('a view needs a unique name and a state of limited size', async () => {
  const first = await browser.call('POST', 'views', view('One'), api.channel)
  await browser.call('POST', 'views', view('Two'), api.channel)
  const refused = [
    view('One'),
    view(''),
    view('  '),
    view('x'.repeat(101)),
    view('No object', 'status=failed'),
    view('No list', ['failed']),
    view('Too much', { q: 'x'.repeat(4001) }),
    view('Too deep', { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }),
    view('Unstorable', { q: 'a\u0000b' }),
    { ...view('No page'), page: 'elsewhere' },
  ]
  for (const fields of refused) {
    const { status } = await browser.call('POST', 'views', fields, api.channel)
    assert.equal(status, 422, JSON.stringify(fields).slice(0, 80))
  }
  const taken = await browser.call('PUT', `views/${first.body._id}`, { name: 'Two' }, api.channel)
  assert.deepEqual([taken.status, taken.body.errors], [422, { name: ['is taken'] }])
  assert.equal(taken.body.message, 'You already have a view with this name.')
  const same = await browser.call('PUT', `views/${first.body._id}`, { name: ' One ' }, api.channel)
  assert.deepEqual([same.status, same.body.name], [200, 'One'])
})

test('the limit of fifty views holds, even for concurrent saves', async () => {
  const person = await signInAs(api, await addPublisher(api, [api.channel, 'editor']))
  const made = await Promise.all(
    Array.from({ length: 55 }, (_, index) =>
      person.call('POST', 'views', view(`View ${index}`), api.channel),
    ),
  )
  assert.equal(made.filter(({ status }) => status === 201).length, 50)
  assert.equal((await names(person)).length, 50)
})

test('leaving a channel deletes the views of that publisher', async () => {
  const person = await addPublisher(api, [api.channel, 'editor'], [api.other, 'editor'])
  await (await signInAs(api, person)).call('POST', 'views', view('Mine'), api.channel)
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  assert.equal((await owner.call('DELETE', `members/${person._id}`, undefined, api.channel)).status, 204)
  const [row] = await api.database.db`
    select count(*)::int as count from saved_views where publisher_id = ${person._id}
  `
  assert.equal(row?.count, 0)
})
