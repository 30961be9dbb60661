import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { globalPlan } from './access-targets-money.js'
import { ask } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newConsumer = async (channel = api.channel) =>
  (await channel.as('admin').consumers.create({ email: `${Math.random()}@a.example` }))._id
const newVideo = async (fields = {}, channel = api.channel) =>
  (await channel.as('admin').videos.create({ title: 'Sold', ...fields }))._id
const mayWatch = async (video_id: string, { access_token }: TestConsumer) =>
  (await ask(`${api.url}/videos/${video_id}/entitled?access_token=${access_token}`)).status === 200
const dayMs = 86_400_000

for (const format of formats) {
  test(`a transaction gives access until it is removed (${format})`, async () => {
    const { transactions, video_entitlements } = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const consumer_id = consumer._id
    const video_id = await newVideo({ purchase_required: true })
    assert.equal(await mayWatch(video_id, consumer), false)
    const made = await transactions.create({ provider: 'third_party', consumer_id, video_id, amount: '9.90' })
    assert.deepEqual(
      [made.transaction_type, made.amount, made.currency, made.status, made.expires_at, made.playlist_id],
      ['purchase', '9.90', 'USD', 'authorized', null, null],
    )
    assert.equal(await mayWatch(video_id, consumer), true)
    const [granted] = (await video_entitlements.list(consumer_id, { transaction_id: made._id })).response
    assert.deepEqual([granted?.video_id, granted?.transaction_type], [video_id, 'purchase'])
    assert.deepEqual((await transactions.list({ consumer_id })).response, [made])
    assert.deepEqual(await transactions.get(made._id), made)
    const described = await transactions.update(made._id, { description: 'By card' })
    assert.deepEqual(described, { ...made, description: 'By card', updated_at: described.updated_at })
    assert.equal(await mayWatch(video_id, consumer), true)
    assert.deepEqual((await transactions.list({ consumer_id, q: 'card' })).response, [described])
    assert.deepEqual((await transactions.list({ consumer_id, q: 'cash' })).response, [])

    await transactions.remove(made._id)
    assert.equal(await mayWatch(video_id, consumer), false)
    await assert.rejects(transactions.get(made._id), { status: 404, message: 'Transaction not found' })
  })

  test(`a consumer's counts and providers follow entitlements and purchases, and can be filtered by (${format})`, async () => {
    const { consumers, transactions, video_entitlements, subscriptions, ...others } = api.as('admin', format)
    const consumer_id = await newConsumer()
    const { _id: playlist_id } = await others.playlists.create({ title: 'Sold' })
    const { _id: pass_plan_id } = await others.pass_plans.create({ name: 'Day', amount: '1', duration: 1 })
    const { _id: plan_id } = await others.plans.create({ ...globalPlan, name: `Trial ${format}` })
    const bought = [{ video_id: await newVideo() }, { playlist_id }, { pass_plan_id }]
    const [first] = await Promise.all([
      ...bought.map((thing) => transactions.create({ provider: 'stripe', consumer_id, ...thing })),
      video_entitlements.create(consumer_id, { video_id: await newVideo() }),
      subscriptions.create({ consumer_id, plan_id, payment_provider: 'itunes', trial_end: new Date() }),
    ])
    await api.database.db`
      update subscriptions set start_at = now() - interval '73 hours' where consumer_id = ${consumer_id}
    `
    const linked_device_id = `tv-${consumer_id}`
    const { pin } = await others.pin.acquire({ linked_device_id, type: 'Box' })
    await others.pin.link({ consumer_id, pin: pin ?? '' })

    const holder = await consumers.get(consumer_id)
    const counts = ({ video_count, playlist_count, pass_count, transaction_count }: typeof holder) =>
      [video_count, playlist_count, pass_count, transaction_count].join()
    assert.equal(counts(holder), '2,1,1,3')
    assert.deepEqual(holder.payment_providers, ['itunes', 'stripe'])
    assert.deepEqual([holder.has_trialed, holder.days_trialed], [true, 3])
    assert.deepEqual(holder.linked_devices, [linked_device_id])
    const isFound = async (query: object) =>
      (await consumers.list({ id: consumer_id, ...query })).response.some(({ _id }) => _id === consumer_id)
    for (const query of [
      { video_count: 2, playlist_count: 1, pass_count: 1, transaction_count: 3 },
      { 'video_count.gt': 1, 'video_count.lte': 2, 'transaction_count.gte': 3 },
      { payment_provider: 'stripe' },
      { payment_provider: ['itunes', 'roku'] },
    ])
      assert.equal(await isFound(query), true, JSON.stringify(query))
    for (const query of [
      { video_count: 1 },
      { 'pass_count.gt': 1 },
      { 'playlist_count.lt': 1 },
      { payment_provider: 'roku' },
    ])
      assert.equal(await isFound(query), false, JSON.stringify(query))

    await transactions.update(first?._id ?? '', { consumer_id: await newConsumer() })
    const { response } = await transactions.list({ consumer_id })
    for (const { _id } of response) await transactions.remove(_id)
    const left = await consumers.get(consumer_id)
    assert.deepEqual([counts(left), left.payment_providers], ['1,0,0,0', ['itunes']])
  })

  test(`a rental ends after the days of its video, a pass after those of its plan (${format})`, async () => {
    const { transactions, pass_plans } = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const video_id = await newVideo({ rental_required: true, rental_duration: 3 })
    const given = { provider: 'roku', consumer_id: consumer._id } as const
    const rental = await transactions.create({ ...given, video_id, transaction_type: 'rental' })
    const days = (at: string | null) => Math.round((Date.parse(at ?? '') - Date.now()) / dayMs)
    assert.equal(days(rental.expires_at), 3)
    for (const rental_duration of [null, 0, 5]) {
      const other = await newVideo({ rental_required: true, rental_duration })
      const made = await transactions.create({ ...given, video_id: other, transaction_type: 'rental' })
      assert.equal(days(made.expires_at), rental_duration || 2)
    }
    assert.equal(await mayWatch(video_id, consumer), true)

    const onPass = await newVideo({ pass_required: true })
    assert.equal(await mayWatch(onPass, consumer), false)
    const { _id: pass_plan_id } = await pass_plans.create({ name: 'Week', amount: '5', duration: 7 })
    const pass = await transactions.create({ ...given, pass_plan_id })
    assert.deepEqual([pass.transaction_type, days(pass.expires_at)], ['pass', 7])
    assert.equal(await mayWatch(onPass, consumer), true)
    await api.database.db`update transactions set expires_at = now() where _id = ${pass._id}`
    assert.equal(await mayWatch(onPass, consumer), false)
  })

  test(`what belongs to another channel is not there, in path, body and filter (${format})`, async () => {
    const { transactions } = api.as('admin', format)
    const consumer_id = await newConsumer()
    const video_id = await newVideo()
    const theirs = { consumer_id: await newConsumer(api.other), video_id: await newVideo({}, api.other) }
    const { _id: pass_plan_id } = await api.other
      .as('admin')
      .pass_plans.create({ name: 'Theirs', amount: '1' })
    const provider = 'third_party'
    const missing = (what: string) => ({ status: 404, message: `${what} not found` })
    await assert.rejects(transactions.create({ provider, ...theirs, video_id }), missing('Consumer'))
    await assert.rejects(transactions.create({ provider, ...theirs, consumer_id }), missing('Video'))
    await assert.rejects(transactions.create({ provider, consumer_id, pass_plan_id }), missing('Pass plan'))
    await assert.rejects(transactions.list({ consumer_id: theirs.consumer_id }), missing('Consumer'))
    await assert.rejects(transactions.list({ video_id: theirs.video_id }), missing('Video'))
    const own = await transactions.create({ provider, consumer_id, video_id })
    await assert.rejects(transactions.update(own._id, { video_id: theirs.video_id }), missing('Video'))
    const { _id } = await api.other.as('admin').transactions.create({ provider, ...theirs })
    for (const attempt of [
      () => transactions.get(_id),
      () => transactions.update(_id, { description: 'Mine' }),
      () => transactions.remove(_id),
    ])
      await assert.rejects(attempt, missing('Transaction'))
    assert.deepEqual(await transactions.get(own._id), own)
  })
}

test('a payment reported many times at once creates one transaction and one entitlement', async () => {
  const { transactions, video_entitlements } = api.as('admin')
  const given = {
    provider: 'stripe',
    stripe_id: 'ch_1',
    consumer_id: await newConsumer(),
    video_id: await newVideo(),
  } as const
  const made = await Promise.all(Array.from({ length: 10 }, () => transactions.create(given)))
  assert.equal(new Set(made.map(({ _id }) => _id)).size, 1)
  assert.equal((await video_entitlements.list(given.consumer_id)).response.length, 1)
  const other = { ...given, video_id: await newVideo() }
  const refused = { status: 422, message: /belongs to another transaction/ }
  await assert.rejects(transactions.create(other), refused)
  await assert.rejects(transactions.create({ ...given, transaction_type: 'rental' }), refused)
  assert.equal((await transactions.create({ ...other, provider: 'third_party' })).video_id, other.video_id)
})

test('a transaction is for exactly one item, and a pass plan makes it a pass', async () => {
  const { transactions, pass_plans } = api.as('admin')
  const consumer_id = await newConsumer()
  const video_id = await newVideo()
  const { _id: pass_plan_id } = await pass_plans.create({ name: 'Ever', amount: '5' })
  const given = { provider: 'third_party', consumer_id } as const
  for (const refused of [
    given,
    { ...given, video_id, pass_plan_id },
    { ...given, video_id, transaction_type: 'pass' },
    { ...given, pass_plan_id, transaction_type: 'rental' },
    { consumer_id, video_id },
  ])
    await assert.rejects(transactions.create(refused as never), { status: 422 })
  const pass = await transactions.create({ ...given, pass_plan_id })
  assert.equal(pass.expires_at, null)
  await assert.rejects(pass_plans.remove(pass_plan_id), {
    status: 422,
    message:
      'Transactions refer to this pass plan, so it cannot be deleted. Set active to false to offer it no more.',
  })
})

test('moving a transaction to another video moves its entitlement', async () => {
  const { transactions, video_entitlements } = api.as('admin')
  const consumer_id = await newConsumer()
  const { _id } = await transactions.create({ provider: 'roku', consumer_id, video_id: await newVideo() })
  const video_id = await newVideo()
  await transactions.update(_id, { video_id })
  const { response } = await video_entitlements.list(consumer_id)
  assert.deepEqual(
    response.map((entitlement) => [entitlement.video_id, entitlement.transaction_id]),
    [[video_id, _id]],
  )
})

test('the provider may be sent beside the wrapper, as existing clients do', async () => {
  const form = new URLSearchParams({
    provider: 'third_party',
    'transaction[consumer_id]': await newConsumer(),
    'transaction[video_id]': await newVideo(),
    'transaction[amount]': '0.10',
  })
  const url = `${api.url}/transactions?api_key=${api.channel.keys.admin}`
  const { status, body } = await ask(url, 'json', { method: 'POST', body: form })
  assert.deepEqual([status, body.response.provider, body.response.amount], [201, 'third_party', '0.10'])
})
