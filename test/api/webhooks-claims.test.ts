import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Attempt } from '../../packages/server/src/webhooks/attempt.js'
import { type Claimed, chooseDue, claim, dispatchEvents } from '../../packages/server/src/webhooks/claim.js'
import { storeOutcome } from '../../packages/server/src/webhooks/outcome.js'
import { room } from '../../packages/server/src/webhooks/room.js'
import { startOwnApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
after(() => api.stop())
afterEach(async () => {
  await api.database.db`delete from webhooks`
  await api.database.db`delete from webhook_deliveries`
  await api.database.db`delete from event_queue`
})

const idle = { sending: [], slow: [], resting: [] }
const claimDue = async () => {
  const { chosen } = await chooseDue(api.database.db, ['answering', 'new'], idle, 1000)
  return claim(api.database.db, chosen)
}
const addWebhook = (url = 'https://example.com/hook') =>
  api.as('admin').webhooks.create({ url, events: ['playlist.*'] })
async function addDeliveries(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await api.as('admin').playlists.create({ title: `Playlist ${number}` })
  for (const turn of ['first', 'later'] as const) await dispatchEvents(api.database.db, turn)
}
const rowOf = async ({ _id }: Pick<Claimed, '_id'>) => {
  const [row] = await api.database.db<
    { status: string; attempt_count: number; next_attempt_at: Date | null }[]
  >`
    select status, attempt_count, next_attempt_at from webhook_deliveries where _id = ${_id}
  `
  return row
}
const attempt = (error: string | null, response_status = error === null ? 204 : 500): Attempt => ({
  at: new Date(),
  response_status,
  milliseconds: 1,
  error,
})
const store = (claimed: Claimed, result: Attempt) => storeOutcome(api.database, claimed, result)

test('a locked delivery delays the results of no other', async () => {
  await addWebhook()
  await api.database.db`update webhooks set last_delivered_at = now()`
  await addDeliveries(3)
  const [held, ...others] = await claimDue()
  assert.ok(held && others.length === 2)
  let storing: Promise<void> | undefined
  await api.database.transaction(async (tx) => {
    await tx`select from webhook_deliveries where _id = ${held._id} for update`
    storing = store(held, attempt(null))
    await Promise.all(others.map((other) => store(other, attempt(null))))
    for (const other of others) assert.equal((await rowOf(other))?.status, 'delivered')
    assert.equal((await rowOf(held))?.status, 'waiting')
  })
  await storing
  assert.equal((await rowOf(held))?.status, 'delivered')
})

test('a locked webhook delays no result', async () => {
  const { _id } = await addWebhook()
  await addDeliveries(1)
  const [claimed] = await claimDue()
  assert.ok(claimed)
  await api.database.transaction(async (tx) => {
    await tx`select from webhooks where _id = ${_id} for update`
    await store(claimed, attempt(null))
  })
  assert.equal((await rowOf(claimed))?.status, 'delivered')
})

test('a result that cannot be stored loses no other', async () => {
  await addWebhook()
  await addDeliveries(2)
  const [wrong, other] = await claimDue()
  assert.ok(wrong && other)
  // PostgreSQL stores no character 0.
  const [refused] = await Promise.allSettled([store(wrong, attempt('\0')), store(other, attempt(null))])
  assert.equal(refused.status, 'rejected')
  assert.deepEqual([(await rowOf(wrong))?.status, (await rowOf(other))?.status], ['waiting', 'delivered'])
})

test('events are not kept in the queue for webhooks that were switched off', async () => {
  const { _id } = await addWebhook()
  await api.as('admin').playlists.create({ title: 'Not sent' })
  await api.as('admin').webhooks.update(_id, { active: false })
  assert.deepEqual(await dispatchEvents(api.database.db, 'first'), { isSome: true, isMore: false })
  assert.equal((await api.database.db`select from event_queue`).length, 0)
})

test('the result of an old claim changes nothing', async () => {
  const { _id: webhook_id } = await addWebhook()
  await addDeliveries(1)
  const [old] = await claimDue()
  assert.ok(old)
  await api.database.db`update webhook_deliveries set next_attempt_at = now() where _id = ${old._id}`
  const [current] = await claimDue()
  assert.ok(current)
  await store(current, attempt(null))
  await store(old, attempt('The receiver answered 500.'))
  assert.deepEqual(await rowOf(old), { status: 'delivered', attempt_count: 1, next_attempt_at: null })

  await api.as('admin').webhook_deliveries.retry(webhook_id, old._id)
  await store(current, attempt('The receiver answered 500.'))
  const again = await rowOf(old)
  assert.deepEqual([again?.status, again?.attempt_count], ['waiting', 0])
  assert.equal((await claimDue()).length, 1, 'the retry is due')
})

/** Gives the first channel so many webhooks with a host each, all answering, and one to the other channel. */
async function addManyWebhooks(count: number): Promise<void> {
  const { _id } = await addWebhook()
  await api.other.as('admin').webhooks.create({ url: 'https://other.example.com/', events: ['playlist.*'] })
  await api.database.db`
    insert into webhooks (_id, site_id, url, events, sealed_secret)
    select lpad(number::text, 24, '0'), site_id, 'https://' || number || '.example.com/', events, sealed_secret
    from webhooks cross join generate_series(2, ${count}::integer) as number where _id = ${_id}
  `
  await api.database.db`update webhooks set last_delivered_at = now()`
}
const siteOf = ({ channel }: TestApi['other']) => channel._id

test('many events of one channel do not delay those of another', async () => {
  await addManyWebhooks(100)
  await api.database.db`
    insert into event_queue (event_id, site_id, type)
    select lpad(number::text, 24, '0'), ${api.channel.channel._id}, 'playlist.updated'
    from generate_series(1, 600) as number
  `
  await api.other.as('admin').playlists.create({ title: 'Of another channel' })
  assert.equal((await dispatchEvents(api.database.db, 'first')).isMore, true, 'there are more')
  const made = await api.database.db<{ site_id: string; count: number }[]>`
    select site_id, count(*)::integer as count from webhook_deliveries group by site_id
  `
  const countOf = (site_id: string) => made.find((row) => row.site_id === site_id)?.count ?? 0
  assert.equal(countOf(siteOf(api.other)), 1)
  assert.ok(countOf(api.channel.channel._id) > 0 && countOf(api.channel.channel._id) <= 2000)
})

test('the webhooks of one channel leave room for those of another', async () => {
  await addManyWebhooks(100)
  await api.database.db`
    insert into webhook_deliveries (_id, site_id, webhook_id, event_id, event_type, next_attempt_at)
    select lpad(number::text, 24, '0'), site_id, webhooks._id, lpad(number::text, 24, '0'), 'playlist.updated',
      now() - case when site_id = ${siteOf(api.other)} then interval '0' else interval '1 hour' end
    from webhooks cross join generate_series(1, 32) as number
  `
  const claims = await claimDue()
  const ofOther = claims.filter(({ site_id }) => site_id === siteOf(api.other))
  assert.equal(ofOther.length, 32)
  assert.equal(claims.length, room.answering.all)
  assert.equal(new Set(claims.map(({ webhook_id }) => webhook_id)).size, 101, 'each webhook has a share')
})

test('a port, a dot or another spelling does not evade the limit per host', async () => {
  for (const url of [
    'https://example.com/hook',
    'https://EXAMPLE.com.:8443/hook',
    'https://ex%61mple.com/hook',
  ])
    await addWebhook(url)
  const hosts = await api.database.db`select distinct host from webhooks`
  assert.deepEqual([...hosts], [{ host: 'example.com' }])
})
