import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { globalPlan } from './access-targets-money.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

for (const format of formats) {
  test(`a plan can be made, read, changed and removed (${format})`, async () => {
    const { plans } = api.as('admin', format)
    const { active, ...given } = globalPlan
    const made = await plans.create(given)
    assert.deepEqual(
      [made.amount, made.active, made.playlist_ids, made.trial_period_days, made.marketplace_ids],
      ['4.90', false, [], 0, {}],
    )
    const changed = await plans.update(made._id, { amount: '0.10', active })
    assert.deepEqual(changed, { ...made, amount: '0.10', active: true, updated_at: changed.updated_at })
    assert.deepEqual(await plans.get(made._id), changed)
    await plans.remove(made._id)
    await assert.rejects(plans.get(made._id), { status: 404, message: 'Plan not found' })
  })

  test(`others see the plans that are offered, the admin key all of them (${format})`, async () => {
    const { plans } = api.as('admin', format)
    const name = `Seen in ${format}`
    const offered = await plans.create({ ...globalPlan, name })
    const draft = await plans.create({ ...globalPlan, name, active: false })
    const viewer = asViewer(api.url, await api.channel.consumer(), format)
    for (const reader of [api.as('read_only', format), api.as('app', format), viewer]) {
      assert.deepEqual((await reader.plans.list({ q: name })).response, [offered])
      assert.deepEqual(await reader.plans.get(offered._id), offered)
      await assert.rejects(reader.plans.get(draft._id), { status: 404 })
      await assert.rejects(reader.plans.list({ active: 'all' }), { status: 403 })
      await assert.rejects(reader.plans.create(globalPlan), { status: 403 })
    }
    assert.deepEqual((await plans.list({ q: name })).response, [draft, offered])
    assert.deepEqual((await plans.list({ q: name, active: true })).response, [offered])
    assert.deepEqual((await plans.list({ q: name, active: false })).response, [draft])
  })

  test(`pass plans, revenue models and ad tags are visible to the callers they are for (${format})`, async () => {
    const admin = api.as('admin', format)
    const reader = api.as('app', format)
    const pass = await admin.pass_plans.create({ name: 'Weekend', amount: '2.5', duration: 2 })
    assert.deepEqual([pass.amount, pass.currency, pass.duration], ['2.5', 'USD', 2])
    await assert.rejects(reader.pass_plans.list(), { status: 403 })
    const models = (await reader.revenue_models.list({ title: 'Rental' } as never)).response
    assert.deepEqual(
      models.map(({ name }) => name),
      ['Rental'],
    )
    assert.equal((await reader.revenue_models.list()).response.length, 8)
    assert.deepEqual(await reader.revenue_models.get(models[0]?._id ?? ''), models[0])
    const tag = await admin.ad_tags.create({
      name: format,
      tag: 'https://ads.example/v',
      _type: 'AdTag::Vast',
    })
    assert.deepEqual([tag.scope, tag.active, tag.vmap, tag.disabled], ['library', true, false, false])
    await admin.ad_tags.create({ name: format, active: false })
    assert.deepEqual((await reader.ad_tags.list({ name: format, scope: 'library' })).response, [tag])
    assert.equal((await admin.ad_tags.list({ name: format, active: 'all' })).response.length, 2)
    await assert.rejects(admin.ad_tags.create({ tag: 'nowhere' }), { status: 422 })
    await admin.ad_tags.remove(tag._id)
    await assert.rejects(reader.ad_tags.get(tag._id), { status: 404 })
  })
}

test('the price of a plan is exact, as text or as a number', async () => {
  const { plans } = api.as('admin')
  for (const [given, kept] of [
    ['0.10', '0.10'],
    [19.99, '19.99'],
    ['9999999999.9999', '9999999999.9999'],
  ] as const)
    assert.equal((await plans.create({ ...globalPlan, amount: given })).amount, kept)
  for (const amount of ['-1', 'free', '1e3', '1.23456'])
    await assert.rejects(plans.create({ ...globalPlan, amount }), { status: 422 })
})

test('a plan without its required fields is rejected', async () => {
  const { plans } = api.as('admin')
  await assert.rejects(plans.create({} as never), {
    status: 422,
    errors: {
      name: ['is required'],
      amount: ['is required'],
      currency: ['is required'],
      interval: ['is required'],
      interval_count: ['is required'],
      entitlement_type: ['is required'],
    },
  })
  await assert.rejects(plans.create({ ...globalPlan, entitlement_type: 'tiered' }), {
    status: 422,
    errors: { playlist_ids: ['must not be empty for a tiered plan'] },
  })
})

test('a plan can be created by a query string alone', async () => {
  const fields = Object.entries(globalPlan).map(([name, value]) => [`plan[${name}]`, String(value)])
  const query = new URLSearchParams([['api_key', api.channel.keys.admin], ...fields] as [string, string][])
  const { status, body } = await ask(`${api.url}/plans?${query}`, 'json', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  assert.deepEqual([status, body.response.interval_count, body.response.active], [201, 1, true])
})

test('plans and ad tags of another channel are not found', async () => {
  const theirs = api.other.as('admin')
  const plan = await theirs.plans.create(globalPlan)
  const own = api.as('admin').plans
  await assert.rejects(own.get(plan._id), { status: 404 })
  await assert.rejects(own.update(plan._id, { name: 'Mine' }), { status: 404 })
  await assert.rejects(own.remove(plan._id), { status: 404 })
  await assert.rejects(own.removePlaylists(plan._id, { playlist_ids: ['f'.repeat(24)] }), { status: 404 })
  assert.deepEqual((await own.list({ id: plan._id })).response, [])
  const [model] = (await theirs.revenue_models.list()).response
  await assert.rejects(api.as('admin').revenue_models.get(model?._id ?? ''), { status: 404 })
})
