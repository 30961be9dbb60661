import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { until } from '../support/patience.js'
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

const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Given', ...fields }))._id

test('a plan with redemption codes cannot be deleted, and the error says why', async () => {
  const { plans, redemption_codes } = api.as('admin')
  const plan = await plans.create(globalPlan)
  const code = await redemption_codes.create({ plan_id: plan._id })
  await assert.rejects(plans.remove(plan._id), {
    status: 422,
    message:
      'Redemption codes refer to this plan, so it cannot be deleted. Set active to false to offer it no more.',
  })
  await redemption_codes.remove(code._id)
  await plans.remove(plan._id)
})

for (const format of formats) {
  test(`a code can be created, read by id or code, changed and removed (${format})`, async () => {
    const codes = api.as('admin', format).redemption_codes
    const video_id = await newVideo()
    const made = await codes.create({ video_id })
    assert.match(made.code, /^[A-HJ-NP-Z2-9]{16}$/)
    assert.equal(made.nice_code, made.code.match(/.{4}/g)?.join('-'))
    assert.deepEqual(
      [made.content_type, made.content_title, made.available, made.redeemed, made.expired],
      ['video', 'Given', true, false, false],
    )
    assert.deepEqual(await codes.get(made._id), made)
    assert.deepEqual(await codes.get(made.code), made)
    assert.deepEqual((await codes.list({ code: made.code, video_id })).response, [made])
    for (const q of [made.code.slice(0, 7), made.nice_code, 'given', made._id])
      assert.deepEqual((await codes.list({ video_id, q })).response, [made], q)
    const past = await codes.update(made.code, { expiration_date: new Date(Date.now() - 1000) })
    assert.deepEqual([past._id, past.expired, past.available], [made._id, true, false])
    await codes.remove(made.code)
    for (const gone of [made._id, made.code, 'NOSUCHCODE', '%00', 'x/y'])
      await assert.rejects(codes.get(gone), { status: 404 })
  })

  test(`a code can be redeemed once (${format})`, async () => {
    const admin = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const viewer = asViewer(api.url, consumer, format)
    const video_id = await newVideo({ redemption_code_required: true })
    const entitled = async () =>
      (await ask(`${api.url}/videos/${video_id}/entitled?access_token=${consumer.access_token}`)).status
    assert.equal(await entitled(), 422)
    const { nice_code, _id } = await admin.redemption_codes.create({ video_id })
    const redeemed = await viewer.redemption_codes.redeem({ code: ` ${nice_code.toLowerCase()} ` })
    assert.deepEqual(
      [redeemed._id, redeemed.redeemed, redeemed.available, redeemed.consumer_id],
      [_id, true, false, consumer._id],
    )
    assert.equal(await entitled(), 200)
    const bought = await admin.transactions.get(redeemed.transaction_id ?? '')
    assert.deepEqual([bought.provider, bought.video_id, bought.amount], ['redemption', video_id, '0'])
    await assert.rejects(viewer.redemption_codes.redeem({ code: nice_code }), {
      status: 422,
      message: 'This code has been redeemed already.',
    })
    await assert.rejects(admin.redemption_codes.update(_id, { video_id: await newVideo() }), { status: 422 })
  })

  test(`a code for a plan creates a subscription, one for a pass a pass (${format})`, async () => {
    const admin = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const viewer = asViewer(api.url, consumer, format)
    const forPlan = await admin.redemption_codes.create({ plan_id })
    const { subscription_id } = await viewer.redemption_codes.redeem({ code: forPlan.code })
    const held = await viewer.consumers.get(consumer._id)
    assert.deepEqual([held.subscription_count, held.subscription_ids], [1, [subscription_id]])
    const { _id: pass_plan_id } = await admin.pass_plans.create({ name: 'Week', amount: '1', duration: 7 })
    const forPass = await admin.redemption_codes.create({ pass_plan_id })
    const { transaction_id } = await viewer.redemption_codes.redeem({ code: forPass.code })
    assert.equal((await admin.transactions.get(transaction_id ?? '')).transaction_type, 'pass')
  })

  test(`what belongs to another channel is not there, in path, body and filter (${format})`, async () => {
    const own = api.as('admin', format).redemption_codes
    const theirs = api.other.as('admin')
    const { _id: theirPlan } = await theirs.plans.create(globalPlan)
    const { _id, code } = await theirs.redemption_codes.create({ plan_id: theirPlan })
    const missing = { status: 404, message: 'Redemption code not found' }
    for (const name of [_id, code]) {
      await assert.rejects(own.get(name), missing)
      await assert.rejects(own.update(name, { expiration_date: new Date() }), missing)
      await assert.rejects(own.remove(name), missing)
    }
    const noPlan = { status: 404, message: 'Plan not found' }
    await assert.rejects(own.create({ plan_id: theirPlan }), noPlan)
    await assert.rejects(own.bulkCreate({ amount: 2, plan_id: theirPlan }), noPlan)
    await assert.rejects(own.list({ plan_id: theirPlan }), noPlan)
    const viewer = asViewer(api.url, await api.channel.consumer(), format).redemption_codes
    await assert.rejects(viewer.redeem({ code }), missing)
    const { _id: stranger } = await api.as('admin').consumers.create({ email: `${Math.random()}@c.example` })
    const mine = await own.create({ plan_id })
    const noConsumer = { status: 404, message: 'Consumer not found' }
    await assert.rejects(viewer.redeem({ code: mine.code, consumer_id: stranger }), noConsumer)
    assert.deepEqual(await own.get(mine._id), mine)
  })
}

test('a code redeemed by many at once goes to exactly one', async () => {
  const { code } = await api.as('admin').redemption_codes.create({ plan_id })
  const consumers = await Promise.all(Array.from({ length: 6 }, () => api.channel.consumer()))
  const tries = await Promise.allSettled(
    consumers.map((consumer) => asViewer(api.url, consumer).redemption_codes.redeem({ code })),
  )
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  const rows = await api.database.db`
    select from subscriptions where consumer_id = any(${consumers.map(({ _id }) => _id)}::text[])
  `
  assert.equal(rows.length, 1)
})

test('a code cannot be changed while it is being redeemed', async () => {
  const { redemption_codes } = api.as('admin')
  const { _id, code } = await redemption_codes.create({ plan_id })
  const another = (await api.as('admin').plans.create(globalPlan))._id
  const changing = await api.database.transaction(async (tx) => {
    await tx`select from redemption_codes where _id = ${_id} for update`
    const change = redemption_codes.update(_id, { plan_id: another }).then(
      () => 'changed',
      ({ message }: Error) => message,
    )
    await until('the change that waits for the code', async () => {
      const [waiting] = await api.database.db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%redemption_codes%'
      `
      return waiting
    })
    await tx`update redemption_codes set redeemed_at = now() where _id = ${_id}`
    return [change]
  })
  assert.equal(await changing[0], 'This code has been redeemed. Make another one.')
  assert.deepEqual((await redemption_codes.get(code)).plan_id, plan_id)
})

test('many codes can be created at once, in the form existing clients send', async () => {
  const video_id = await newVideo()
  const url = `${api.url}/redemption_codes/bulk_create?api_key=${api.channel.keys.admin}`
  for (const wrapper of ['redemption_code', 'redemption_codes']) {
    const form = new URLSearchParams({ amount: '15', [`${wrapper}[video_id]`]: video_id })
    const { status, body } = await ask(url, 'json', { method: 'POST', body: form })
    assert.deepEqual([status, body.message], [200, '15 redemption codes were made.'])
  }
  const { response } = await api.as('admin').redemption_codes.list({ video_id, per_page: 100 })
  assert.equal(new Set(response.map(({ code }) => code)).size, 30)
  await assert.rejects(api.as('admin').redemption_codes.bulkCreate({ amount: 1001, video_id }), {
    status: 422,
  })
})

test('a custom code is unique and is for exactly one item', async () => {
  const codes = api.as('admin').redemption_codes
  const video_id = await newVideo()
  assert.equal((await codes.create({ video_id, code: 'Summer-24' })).code, 'SUMMER24')
  await assert.rejects(codes.create({ video_id, code: 'summer 24' }), { errors: { code: ['is taken'] } })
  for (const refused of [
    {},
    { video_id, plan_id },
    { video_id, code: 'a' },
    { video_id, code: 'a'.repeat(24) },
  ])
    await assert.rejects(codes.create(refused), { status: 422 })
  const { code } = await codes.create({ video_id, expiration_date: new Date(Date.now() - 1000) })
  const viewer = asViewer(api.url, await api.channel.consumer()).redemption_codes
  await assert.rejects(viewer.redeem({ code }), { status: 422, message: 'This code has expired.' })
})

test('guessing codes is limited; a right code does not count as a guess', async () => {
  const consumer = await api.channel.consumer()
  const viewer = asViewer(api.url, consumer).redemption_codes
  for (let guess = 0; guess < 19; guess += 1)
    await assert.rejects(viewer.redeem({ code: `GUESS${guess}` }), { status: 404 })
  const { code } = await api.as('admin').redemption_codes.create({ plan_id })
  await viewer.redeem({ code })
  await assert.rejects(viewer.redeem({ code: 'GUESS20' }), { status: 404 })
  await assert.rejects(viewer.redeem({ code: 'GUESS21' }), { status: 429 })
})

test('a code is accepted beside the wrapper or inside it', async () => {
  for (const name of ['code', 'redemption_code[code]']) {
    const { access_token } = await api.channel.consumer()
    const { code } = await api.as('admin').redemption_codes.create({ plan_id })
    const body = new URLSearchParams({ [name]: code, access_token })
    const { status } = await ask(`${api.url}/redemption_codes/redeem`, 'json', { method: 'POST', body })
    assert.equal(status, 200)
  }
})
