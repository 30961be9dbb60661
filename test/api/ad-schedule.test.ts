import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { globalPlan } from './access-targets-money.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const tag = 'https://ads.example/vast?slot=1&b=<x>'

async function newFilm(channel = api.channel, fields = {}) {
  const { videos } = channel.as('admin')
  const { _id } = await videos.createSelfHosted({
    url: 'https://media.example/horse.m3u8',
    title: 'Horse',
    duration: 90,
  })
  const { data_sources } = await videos.update(_id, fields)
  return [_id, data_sources[0]?._id ?? ''] as const
}

async function advertisingOf(
  id: string,
  credential = `api_key=${api.channel.keys.player}`,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(`${api.url}/embed/${id}.json?${credential}`, { headers })
  assert.equal(reply.status, 200)
  const { response } = (await reply.json()) as {
    response: { body: { advertising: { client?: string; schedule?: unknown } } }
  }
  return response.body.advertising
}

test('players get the times of advertisements and the URL of the ad server', async () => {
  const { ad_tags, ad_timings } = api.as('admin')
  const film = await newFilm()
  const [id] = film
  assert.deepEqual(await advertisingOf(id), {})
  const made = await ad_tags.create({ name: 'All', tag, interval_seconds: 40, network_key: 'n-1' })
  assert.equal((await ad_tags.get(made._id)).network_key, 'n-1')
  for (const kind of ['read_only', 'app'] as const) {
    const shown = [await api.as(kind).ad_tags.get(made._id), ...(await api.as(kind).ad_tags.list()).response]
    assert.deepEqual(
      shown.map((one) => [one._id, one.tag, one.network_key]),
      [made, made].map((one) => [one._id, one.tag, null]),
    )
  }
  assert.deepEqual(await advertisingOf(id), {
    client: 'vast',
    schedule: [0, 40_000, 80_000].map((offset) => ({ offset, tag })),
  })

  await ad_timings.create(...film, { time: 62.5, ad_placement_id: 'late' })
  await ad_timings.create(...film, { time: 4 })
  const schedule = [
    { offset: 4000, tag },
    { offset: 62_500, tag, ad_placement_id: 'late' },
  ]
  assert.deepEqual(await advertisingOf(id), { client: 'vast', schedule })
  const query = `api_key=${api.channel.keys.player}`
  const script = await (await fetch(`${api.url}/embed/${id}.js?${query}`)).text()
  assert.ok(script.includes('"offset":4000') && !script.includes('<x>'))
  const page = await (await fetch(`${api.url}/embed/${id}.html?${query}`)).text()
  assert.ok(page.includes(' ads="[{&quot;offset&quot;:4000') && !page.includes('<x>'), page)
  assert.match(await (await fetch(`${api.url}/embed/${id}.xml?${query}`)).text(), /<schedule type="array">/)

  await ad_tags.update(made._id, { vmap: true, _type: 'AdTag::Googima' })
  assert.deepEqual(await advertisingOf(id), { client: 'googima', schedule: [{ offset: 0, tag }] })
  await ad_tags.update(made._id, { disabled: true })
  assert.deepEqual(await advertisingOf(id), {})
  await ad_tags.remove(made._id)
})

test('a tag for a device takes precedence over one for its category, and that over one for all', async () => {
  const admin = api.as('admin')
  const [id] = await newFilm()
  const { response: devices } = await admin.devices.list({ per_page: 100 })
  const roku = devices.find(({ name }) => name === 'Roku')
  const made: string[] = []
  const add = async (name: string, fields = {}) => {
    made.push((await admin.ad_tags.create({ name, tag: `https://ads.example/${name}`, ...fields }))._id)
  }
  const shown = async (agent: string) => {
    const { schedule } = await advertisingOf(id, undefined, { 'user-agent': agent })
    return ((schedule ?? []) as { tag: string }[]).map((each) => each.tag.split('/').at(-1)).join()
  }
  const [onRoku, onDesktop] = [
    'Roku/DVP-9.10 (519.10E04111A)',
    'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0',
  ]
  await add('roku', { device_id: roku?._id ?? '' })
  assert.deepEqual([await shown(onRoku), await shown(onDesktop)], ['roku', ''])
  await add('all')
  assert.deepEqual([await shown(onRoku), await shown(onDesktop)], ['roku', 'all'])
  await add('category', { device_category_id: roku?.device_category_id ?? '' })
  assert.deepEqual([await shown(onRoku), await shown(onDesktop)], ['roku', 'all'])
  await admin.ad_tags.update(made[0] ?? '', { active: false })
  assert.deepEqual([await shown(onRoku), await shown(onDesktop)], ['category', 'all'])
  for (const foreign of [
    { device_id: (await api.other.as('admin').devices.list()).response[0]?._id ?? '' },
    { device_category_id: (await api.other.as('admin').device_categories.list()).response[0]?._id ?? '' },
  ]) {
    await assert.rejects(admin.ad_tags.create(foreign), { status: 404 })
    await assert.rejects(admin.ad_tags.update(made[1] ?? '', foreign), { status: 404 })
  }
  for (const ad_tag of made) await admin.ad_tags.remove(ad_tag)
})

test('players get the interval between plays with advertisements', async () => {
  const { ad_tags } = api.as('admin')
  const [id] = await newFilm()
  const made = await ad_tags.create({ tag, interval_count: 3, scope: 'video' })
  const counted = { interval_count: 3, scope: 'video' }
  assert.deepEqual(await advertisingOf(id), { client: 'vast', schedule: [{ offset: 0, tag }], ...counted })
  const query = `api_key=${api.channel.keys.player}`
  const page = await (await fetch(`${api.url}/embed/${id}.html?${query}`)).text()
  assert.ok(page.includes(' ads-every="3" ads-scope="video"'), page)
  const script = await (await fetch(`${api.url}/embed/${id}.js?${query}`)).text()
  assert.ok(script.includes('"adsEvery":3,"adsScope":"video"'), script)
  await ad_tags.update(made._id, { interval_count: 0 })
  assert.deepEqual(await advertisingOf(id), { client: 'vast', schedule: [{ offset: 0, tag }] })
  await ad_tags.remove(made._id)
})

test('tags of another channel, inactive ones and those without a URL are not used', async () => {
  const [id] = await newFilm()
  await api.other.as('admin').ad_tags.create({ tag: 'https://theirs.example/vast' })
  await api.as('admin').ad_tags.create({ tag, active: false })
  await api.as('admin').ad_tags.create({ name: 'Later' })
  assert.deepEqual(await advertisingOf(id), {})
})

test('subscribers see no advertisements where the video says so', async () => {
  const admin = api.as('admin')
  const { _id: ad_tag } = await admin.ad_tags.create({ tag })
  const [spared] = await newFilm(api.channel, { subscription_ads_enabled: false })
  const [always] = await newFilm()
  const consumer = await api.channel.consumer()
  const asViewer = `access_token=${consumer.access_token}`
  assert.ok((await advertisingOf(spared, asViewer)).schedule)

  const { _id: plan_id } = await admin.plans.create(globalPlan)
  await admin.subscriptions.create({ consumer_id: consumer._id, plan_id })

  assert.deepEqual(await advertisingOf(spared, asViewer), {})
  assert.ok((await advertisingOf(always, asViewer)).schedule)
  assert.ok((await advertisingOf(spared)).schedule)
  await admin.ad_tags.remove(ad_tag)
})
