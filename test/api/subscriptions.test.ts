import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { aroundMoment } from '../support/moments.js'
import { globalPlan } from './access-targets-money.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
let plan_id: string
before(async () => {
  api = await startApi()
  plan_id = (await api.as('admin').plans.create(globalPlan))._id
})
after(() => api.stop())

const newConsumer = async () =>
  (await api.as('admin').consumers.create({ email: `${Math.random()}@a.example` }))._id
const dayMs = 86_400_000

for (const format of formats) {
  test(`a subscription copies its plan, and is read, listed, changed and removed (${format})`, async () => {
    const { subscriptions, consumers } = api.as('admin', format)
    const consumer_id = await newConsumer()
    const made = await subscriptions.create({ consumer_id, plan_id, third_party_id: 's-1' })
    assert.deepEqual(
      [made.plan_name, made.amount, made.mrr, made.interval, made.status, made.payment_provider],
      ['All of it', '4.90', '4.90', 'month', 'active', 'third_party'],
    )
    assert.ok([27, 28, 29, 30, 31].includes(made.days_remaining ?? 0))
    assert.deepEqual((await subscriptions.list({ consumer_id })).response, [made])
    assert.deepEqual((await subscriptions.list({ plan_id, third_party_id: 's-1', consumer_id })).response, [
      made,
    ])
    assert.deepEqual((await subscriptions.list({ consumer_id, q: 'all s-1' })).response, [made])
    assert.deepEqual((await subscriptions.list({ consumer_id, q: 'nothing' })).response, [])
    const holder = await consumers.get(consumer_id)
    assert.deepEqual(
      [holder.subscription_count, holder.subscription_ids, holder.subscription_plans],
      [
        1,
        [made._id],
        [{ id: plan_id, name: 'All of it', entitlement_type: 'global', subscription_id: made._id }],
      ],
    )
    assert.deepEqual((await consumers.list({ email: holder.email })).response, [holder])

    const start = new Date('2024-01-31T00:00:00Z')
    const renewed = await subscriptions.update(made._id, { current_period_start_at: start })
    assert.equal(renewed.current_period_end_at, '2024-02-29T00:00:00.000Z')
    assert.equal(renewed.days_remaining, 0)
    assert.equal((await consumers.get(consumer_id)).subscription_count, 0)
    await subscriptions.remove(made._id)
    await assert.rejects(subscriptions.get(made._id), { status: 404, message: 'Subscription not found' })
  })

  test(`a cancelled subscription is valid until its period ends, and can be reactivated (${format})`, async () => {
    const { subscriptions, consumers } = api.as('admin', format)
    const consumer_id = await newConsumer()
    const held = async () => (await consumers.get(consumer_id)).subscription_count
    const { _id } = await subscriptions.create({ consumer_id, plan_id })
    const cancelled = await subscriptions.cancel(_id)
    assert.deepEqual([cancelled.status, cancelled.cancel_at_period_end, await held()], ['canceled', true, 1])
    assert.equal((await subscriptions.cancel(_id)).cancelled_at, cancelled.cancelled_at)
    const back = await subscriptions.reactivate(_id)
    assert.deepEqual([back.status, back.cancelled_at, back.cancel_at_period_end], ['active', null, false])
    await subscriptions.cancel(_id)
    await subscriptions.update(_id, { current_period_end_at: new Date(Date.now() - 1000) })
    assert.equal(await held(), 0)
    await assert.rejects(subscriptions.reactivate(_id), { status: 422, message: /period .* has ended/ })
  })

  test(`a consumer can list what their subscriptions open (${format})`, async () => {
    const consumer = await api.channel.consumer()
    const { subscriptions } = api.as('admin', format)
    const { _id } = await subscriptions.create({ consumer_id: consumer._id, plan_id })
    const own = asViewer(api.url, consumer, format).subscription_entitlements
    const [opened, ...others] = (await own.list(consumer._id)).response
    assert.deepEqual(
      [opened?.subscription_id, opened?.entitlement_type, opened?.playlist_id, others.length],
      [_id, 'global', null, 0],
    )
    assert.equal((await own.list(consumer._id, { entitlement_type: 'tiered' })).response.length, 0)
    await subscriptions.update(_id, { status: 'paused' })
    assert.equal((await own.list(consumer._id)).response.length, 0)
  })

  test(`what belongs to another channel is not there, in path, body and filter (${format})`, async () => {
    const { subscriptions } = api.as('admin', format)
    const theirs = api.other.as('admin')
    const foreign = {
      consumer_id: (await theirs.consumers.create({ email: `${Math.random()}@b.example` }))._id,
      plan_id: (await theirs.plans.create(globalPlan))._id,
    }
    const consumer_id = await newConsumer()
    const noConsumer = { status: 404, message: 'Consumer not found' }
    const noPlan = { status: 404, message: 'Plan not found' }
    await assert.rejects(subscriptions.create({ ...foreign, plan_id }), noConsumer)
    await assert.rejects(subscriptions.create({ ...foreign, consumer_id }), noPlan)
    const own = await subscriptions.create({ consumer_id, plan_id })
    await assert.rejects(subscriptions.update(own._id, { plan_id: foreign.plan_id }), noPlan)
    await assert.rejects(subscriptions.update(own._id, { consumer_id: foreign.consumer_id }), noConsumer)
    await assert.rejects(subscriptions.list({ consumer_id: foreign.consumer_id }), noConsumer)
    await assert.rejects(subscriptions.list({ plan_id: foreign.plan_id }), noPlan)
    const { _id } = await theirs.subscriptions.create(foreign)
    for (const attempt of [
      () => subscriptions.get(_id),
      () => subscriptions.update(_id, { status: 'paused' }),
      () => subscriptions.cancel(_id),
      () => subscriptions.reactivate(_id),
      () => subscriptions.remove(_id),
    ])
      await assert.rejects(attempt, { status: 404, message: 'Subscription not found' })
    assert.deepEqual(await subscriptions.get(own._id), own)
  })
}

test('the provider may be sent beside the wrapper, and one end of a period is enough', async () => {
  const consumer_id = await newConsumer()
  const url = `${api.url}/subscriptions?api_key=${api.channel.keys.admin}`
  const form = new URLSearchParams({
    type: 'stripe',
    'subscription[consumer_id]': consumer_id,
    'subscription[plan_id]': plan_id,
    'subscription[stripe_id]': 'sub_1',
    'subscription[current_period_end_at]': '',
  })
  const { status, body } = await ask(url, 'json', { method: 'POST', body: form })
  assert.deepEqual(
    [status, body.response.payment_provider, body.response.stripe_id],
    [201, 'stripe', 'sub_1'],
  )
  assert.ok(body.response.current_period_end_at, 'an empty end is the one that the plan says')
  const both = { current_period_start_at: new Date(), current_period_end_at: new Date(Date.now() + dayMs) }
  await assert.rejects(api.as('admin').subscriptions.create({ consumer_id, plan_id, ...both }), {
    status: 422,
  })
})

test('with trial_from_plan a subscription begins with the free trial of its plan', async () => {
  const { plans, subscriptions } = api.as('admin')
  const trial = await plans.create({ ...globalPlan, trial_period_days: 7 })
  const begin = async (fields: object) =>
    subscriptions.create({ consumer_id: await newConsumer(), plan_id: trial._id, ...fields })
  const start = '2026-03-01T12:00:00.000Z'
  const [free, paid] = [
    await begin({ trial_from_plan: true, current_period_start_at: start }),
    await begin({}),
  ]
  const end = '2026-03-08T12:00:00.000Z'
  assert.deepEqual([free.trial_end, free.current_period_end_at, paid.trial_end], [end, end, null])
  const none = await subscriptions.create({
    consumer_id: await newConsumer(),
    plan_id,
    trial_from_plan: true,
  })
  assert.equal(none.trial_end, null)
  const later = await subscriptions.update(paid._id, { trial_from_plan: true })
  assert.equal(later.current_period_end_at, paid.current_period_end_at)
})

test('days_remaining is right with any response_fields', async () => {
  const consumer_id = await newConsumer()
  const { subscriptions } = api.as('admin')
  const end = new Date(Date.now() + 3.5 * dayMs)
  const { _id } = await subscriptions.create({ consumer_id, plan_id, current_period_end_at: end })
  const { body } = await ask(
    `${api.url}/subscriptions?api_key=${api.channel.keys.admin}&consumer_id=${consumer_id}&response_fields=days_remaining`,
  )
  assert.deepEqual(body.response, [{ _id, days_remaining: 3 }] as never)
})

test('a subscription opens videos for subscribers, and ends on time', async () => {
  const { videos, subscriptions, plans } = api.as('admin')
  const { _id: video_id } = await videos.create({ title: 'For subscribers', subscription_required: true })
  const consumer = await api.channel.consumer()
  const entitled = async () =>
    (await ask(`${api.url}/videos/${video_id}/entitled?access_token=${consumer.access_token}`)).status
  assert.equal(await entitled(), 422)
  const given = { consumer_id: consumer._id, plan_id }
  let _id = ''
  await aroundMoment(1500, async ({ at, before, passed }) => {
    await before(async () => {
      _id = (await subscriptions.create({ ...given, current_period_end_at: at }))._id
      assert.equal(await entitled(), 200)
    })
    await passed()
    assert.equal(await entitled(), 422)
  })
  await subscriptions.update(_id, { current_period_start_at: new Date() })
  assert.equal(await entitled(), 200)
  await subscriptions.update(_id, { status: 'canceled' })
  assert.equal(await entitled(), 422)
  const forEver = await plans.create({ ...globalPlan, interval: 'lifetime' })
  const lifelong = await subscriptions.create({ ...given, plan_id: forEver._id })
  assert.deepEqual([lifelong.current_period_end_at, lifelong.mrr, await entitled()], [null, '0', 200])
  await subscriptions.cancel(lifelong._id)
  assert.equal(await entitled(), 422)
  await assert.rejects(plans.remove(forEver._id), { status: 422, message: /has subscribed/ })
})

test('whether a viewer may watch is read in the same statement as the video', async () => {
  const { db } = api.database
  const plan = await db.unsafe(
    `explain (costs off) select * from entitlement_status('${'0'.repeat(24)}', '${'1'.repeat(24)}', '${'2'.repeat(24)}', '{}')`,
  )
  const text = plan.map((row) => Object.values(row)[0]).join('\n')
  assert.ok(!text.includes('Function Scan'), `it is read as one statement:\n${text}`)
})
