import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi, type TestConsumer } from '../support/api.js'
import { globalPlan, newPlaylist } from './access-targets-money.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const mayWatch = async (video_id: string, { access_token }: TestConsumer) =>
  (await ask(`${api.url}/videos/${video_id}/entitled?access_token=${access_token}`)).status === 200

/** Creates a video in a nested playlist. */
async function sold(terms: Record<string, boolean>) {
  const { videos, playlists } = api.as('admin')
  const { _id: video_id } = await videos.create({ title: 'In it', ...terms })
  const parent_id = await newPlaylist(api.channel)
  const playlist_id = await newPlaylist(api.channel, { parent_id })
  await playlists.addVideos(playlist_id, { video_id: [video_id] })
  return { video_id, parent_id, playlist_id }
}

for (const format of formats) {
  test(`an entitlement to a playlist opens its videos and those below it (${format})`, async () => {
    const { playlist_entitlements } = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const { video_id, parent_id, playlist_id } = await sold({ purchase_required: true })
    for (const opened of [playlist_id, parent_id]) {
      assert.equal(await mayWatch(video_id, consumer), false)
      const made = await playlist_entitlements.create(consumer._id, { playlist_id: opened })
      assert.deepEqual([made.playlist_id, made.playlist_title], [opened, 'Sold together'])
      const own = asViewer(api.url, consumer, format)
      assert.deepEqual((await own.own_playlist_entitlements.list()).response, [made])
      assert.deepEqual((await own.own_playlist_entitlements.list({ q: 'sold tog' })).response, [made])
      assert.deepEqual((await own.own_playlist_entitlements.list({ q: 'apart' })).response, [])
      assert.deepEqual(
        (await own.playlist_entitlements.list(consumer._id, { playlist_id: opened })).response,
        [made],
      )
      assert.equal(await mayWatch(video_id, consumer), true)
      await playlist_entitlements.update(consumer._id, made._id, { expires_at: new Date(Date.now() - 1000) })
      assert.equal(await mayWatch(video_id, consumer), false)
      await playlist_entitlements.remove(consumer._id, made._id)
    }
  })

  test(`consumers can list the films of their own entitlements and of entitled playlists, page by page (${format})`, async () => {
    const admin = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const { video_id, parent_id } = await sold({ purchase_required: true })
    const hidden = await sold({ purchase_required: true })
    await admin.videos.update(hidden.video_id, { active: false })
    const { _id: alone } = await admin.videos.create({ title: 'By itself', purchase_required: true })
    const expires_at = new Date(Date.now() + 1e8).toISOString()
    await admin.video_entitlements.create(consumer._id, { video_id: alone, transaction_id: 'one' })
    for (const playlist_id of [parent_id, hidden.parent_id])
      await admin.playlist_entitlements.create(consumer._id, {
        playlist_id,
        transaction_id: 'all',
        expires_at,
      })
    const { own_video_entitlements: own } = asViewer(api.url, consumer, format)
    const { response } = await own.list({ sort: 'created_at', order: 'asc' })
    assert.deepEqual(
      response.map((each) => [each.video_id, each.video_title, each.transaction_id, each.expires_at]),
      [
        [alone, 'By itself', 'one', null],
        [video_id, 'In it', 'all', expires_at],
      ],
    )
    const first = await own.list({ per_page: 1 })
    assert.deepEqual([first.response[0]?.video_id, first.pagination.pages], [video_id, 2])
    const second = await own.list({ per_page: 1, cursor: first.pagination.next_cursor ?? '' })
    assert.deepEqual([second.response[0]?.video_id, second.pagination.next_cursor], [alone, null])
    assert.deepEqual((await own.list({ per_page: 1, page: 1 })).response, second.response)
    assert.deepEqual((await own.list({ transaction_id: 'one' })).response, second.response)
    assert.deepEqual((await own.list({ q: 'itself' })).response, second.response)
    assert.deepEqual((await own.list({ id: first.response[0]?._id ?? '' })).response, first.response)
    const stranger = await api.channel.consumer()
    assert.deepEqual((await asViewer(api.url, stranger, format).own_video_entitlements.list()).response, [])
  })

  test(`a tiered plan opens the videos for subscribers in its playlists, and no others (${format})`, async () => {
    const { plans, subscriptions, subscription_entitlements } = api.as('admin', format)
    const consumer = await api.channel.consumer()
    const inside = await sold({ subscription_required: true })
    const outside = await sold({ subscription_required: true })
    const plan = await plans.create({
      ...globalPlan,
      entitlement_type: 'tiered',
      playlist_ids: [inside.parent_id],
    })
    await subscriptions.create({ consumer_id: consumer._id, plan_id: plan._id })
    assert.deepEqual(
      [await mayWatch(inside.video_id, consumer), await mayWatch(outside.video_id, consumer)],
      [true, false],
    )
    const [opened] = (await subscription_entitlements.list(consumer._id)).response
    assert.equal(opened?.playlist_id, inside.parent_id)
    const both = await plans.addPlaylists(plan._id, { playlist_ids: [outside.playlist_id, inside.parent_id] })
    assert.deepEqual(both.playlist_ids, [inside.parent_id, outside.playlist_id])
    assert.equal(await mayWatch(outside.video_id, consumer), true)
    const less = await plans.removePlaylists(plan._id, { playlist_ids: [inside.parent_id] })
    assert.deepEqual(less.playlist_ids, [outside.playlist_id])
    assert.equal(await mayWatch(inside.video_id, consumer), false)
    await assert.rejects(plans.removePlaylists(plan._id, { playlist_ids: less.playlist_ids }), {
      status: 422,
    })
    await assert.rejects(plans.remove(plan._id), { status: 422, message: /tiered plan cannot be deleted/ })
  })

  test(`playlists of another channel are not found (${format})`, async () => {
    const admin = api.as('admin', format)
    const playlist_id = await newPlaylist(api.other)
    const { _id: consumer_id } = await api.channel.consumer()
    const missing = { status: 404, message: 'Playlist not found' }
    const { _id: plan_id } = await admin.plans.create(globalPlan)
    for (const attempt of [
      () => admin.playlist_entitlements.create(consumer_id, { playlist_id }),
      () => admin.transactions.create({ provider: 'roku', consumer_id, playlist_id }),
      () => admin.redemption_codes.create({ playlist_id }),
      () => admin.plans.create({ ...globalPlan, playlist_ids: [playlist_id] }),
      () => admin.plans.update(plan_id, { playlist_ids: [playlist_id] }),
      () => admin.plans.addPlaylists(plan_id, { playlist_ids: [playlist_id] }),
      () => admin.transactions.list({ playlist_id }),
      () => admin.redemption_codes.list({ playlist_id }),
    ])
      await assert.rejects(attempt, missing)
  })
}

test("pages and cursors of a consumer's entitlements show each film once, in either order", async () => {
  const admin = api.as('admin')
  const consumer = await api.channel.consumer()
  const film = async (title: string) => (await admin.videos.create({ title }))._id
  for (const films of [1, 3, 0, 4]) {
    const { _id: playlist_id } = await admin.playlists.create({ title: `With ${films}` })
    const video_id: string[] = []
    for (let made = 0; made < films; made += 1) video_id.push(await film(`${films}.${made}`))
    await admin.playlists.addVideos(playlist_id, { video_id })
    await admin.playlist_entitlements.create(consumer._id, { playlist_id })
    await admin.video_entitlements.create(consumer._id, { video_id: await film(`Beside ${films}`) })
  }
  const { own_video_entitlements: own } = asViewer(api.url, consumer)
  const ids = (response: readonly { _id: string }[]) => response.map(({ _id }) => _id)
  const upwards = ids((await own.list({ per_page: 100, sort: 'created_at' })).response)
  assert.equal(new Set(upwards).size, 12)
  for (const order of ['asc', 'desc'] as const) {
    const all = order === 'asc' ? upwards : upwards.toReversed()
    const [paged, walked]: string[][] = [[], []]
    let cursor: string | null = ''
    for (let page = 0; page < 3; page += 1) {
      const asked = { per_page: 5, sort: 'created_at', order } as const
      const { response, pagination } = await own.list({ ...asked, page })
      assert.equal(pagination.pages, 3)
      paged?.push(...ids(response))
      const next: Awaited<ReturnType<typeof own.list>> = await own.list({ ...asked, cursor: cursor ?? '' })
      walked?.push(...ids(next.response))
      cursor = next.pagination.next_cursor
    }
    assert.deepEqual([paged, walked, cursor], [all, all, null])
  }
})

test('a playlist that is bought, rented or redeemed is open, until the transaction is removed', async () => {
  const { transactions, redemption_codes } = api.as('admin')
  const consumer = await api.channel.consumer()
  const { video_id, playlist_id } = await sold({ purchase_required: true })
  const { _id } = await transactions.create({ provider: 'roku', consumer_id: consumer._id, playlist_id })
  assert.equal(await mayWatch(video_id, consumer), true)
  await transactions.remove(_id)
  assert.equal(await mayWatch(video_id, consumer), false)
  const { code, content_title } = await redemption_codes.create({ playlist_id })
  assert.equal(content_title, 'Sold together')
  await asViewer(api.url, consumer).redemption_codes.redeem({ code })
  assert.equal(await mayWatch(video_id, consumer), true)
  const rented = await newPlaylist(api.channel, { rental_duration: 3 })
  const rental = await transactions.create({
    provider: 'roku',
    consumer_id: consumer._id,
    playlist_id: rented,
    transaction_type: 'rental',
  })
  assert.equal(Math.round((Date.parse(rental.expires_at ?? '') - Date.now()) / 86_400_000), 3)
})

test('a cursor walk through entitlements continues despite concurrent changes', async () => {
  const admin = api.as('admin')
  const consumer = await api.channel.consumer()
  const own = asViewer(api.url, consumer).own_video_entitlements
  const given: string[] = []
  for (const title of ['First', 'Second', 'Third']) {
    const { _id: video_id } = await admin.videos.create({ title, purchase_required: true })
    await admin.video_entitlements.create(consumer._id, { video_id })
    given.push(video_id)
  }
  const goOn = async (cursor: string | null | undefined) => {
    const page = await own.list({ per_page: 1, cursor: cursor ?? '' })
    return { id: page.response[0]?.video_id, cursor: page.pagination.next_cursor }
  }
  const first = await own.list({ per_page: 1 })
  const { playlist_id } = await sold({ purchase_required: true })
  const { _id } = await admin.playlist_entitlements.create(consumer._id, { playlist_id })
  const second = await goOn(first.pagination.next_cursor)
  const among = await own.list({ per_page: 2 })
  await admin.playlist_entitlements.remove(consumer._id, _id)
  const third = await goOn(second.cursor)
  assert.deepEqual([first.response[0]?.video_id, second.id, third.id], [...given].reverse())
  assert.equal((await goOn(among.pagination.next_cursor)).id, given[1])
})
