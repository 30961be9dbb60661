import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { verifyWebhook } from '@zoetrope/sdk'
import { eventBodies } from '../../packages/server/src/features/events/bodies.js'
import { mailWebhook } from '../../packages/server/src/jobs/mail-webhook.job.js'
import { webhookHints } from '../../packages/server/src/lists/event-hints.js'
import { room } from '../../packages/server/src/webhooks/room.js'
import { startSender } from '../../packages/server/src/webhooks/sender.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { jobContext } from '../support/job-context.js'
import { patienceMs, until } from '../support/patience.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.js'
import { ask } from './ask.js'

let api: TestApi
let sender: Awaited<ReturnType<typeof startSender>>
const receivers: Receiver[] = []
const isLoopback = (address: string) => address === '127.0.0.1'
/** What names resolve to, for receivers that have one. */
const names = new Map<string, string>()

const newSender = () =>
  startSender({
    database: api.database,
    sealer: api.parts.sealer,
    reach: { allow: isLoopback, resolve: async (host) => [names.get(host) ?? ''], timeoutMs: patienceMs },
    readBodies: (events) => eventBodies(api.database.db, events),
    onError: (error) => assert.fail(String(error)),
    // Never, so that all that follows shows that it is woken.
    everyMs: 3_600_000,
    longestRestMs: 0,
  })

before(async () => {
  api = await startOwnApi()
  sender = await newSender()
})
after(async () => {
  await sender.stop()
  await api.stop()
})
afterEach(async () => {
  await api.database.db`delete from webhooks`
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
})

async function addWebhook(events = ['video.*']) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const { secret, ...webhook } = await api.as('admin').webhooks.create({ url: receiver.url, events })
  return { receiver, webhook, secret: secret ?? '' }
}

const addVideo = (title: string) => api.as('admin').videos.create({ title })
const deliveriesOf = async (webhook_id: string) =>
  (await api.as('admin').webhook_deliveries.list(webhook_id, { sort: 'created_at', order: 'asc' })).response
const webhookOf = (id: string) => api.as('admin').webhooks.get(id)
/** The webhook, once it is as expected: the result of an attempt is noted there after that of the delivery. */
const webhookWhen = (id: string, isExpected: (webhook: Awaited<ReturnType<typeof webhookOf>>) => boolean) =>
  until('the webhook', async () => {
    const webhook = await webhookOf(id)
    return isExpected(webhook) && webhook
  })
const isAbout =
  (id: string, type = 'video.created') =>
  ({ event }: Received) =>
    event.type === type && (event.data as { _id?: string })._id === id

/** Lets the time until the next attempts pass. */
async function passTime(webhook_id: string): Promise<void> {
  await api.database.db`
    update webhook_deliveries set next_attempt_at = now() where webhook_id = ${webhook_id} and status = 'waiting'
  `
  await api.database.db`select pg_notify(${webhookHints}, '')`
}
const attemptsOf = (webhook_id: string, count: number) =>
  until(`attempt ${count}`, async () => {
    const [delivery] = await deliveriesOf(webhook_id)
    return delivery && delivery.attempt_count >= count && delivery
  })

test('the secret is shown when the webhook is created, and never again', async () => {
  const { webhook, secret } = await addWebhook()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.equal((await webhookOf(webhook._id)).secret, null)
  assert.equal((await api.as('admin').webhooks.update(webhook._id, { description: 'Ours' })).secret, null)
})

test('an event reaches its receiver, with a signature that the SDK verifies', async () => {
  const { receiver, webhook, secret } = await addWebhook()
  const video = await addVideo('Sallie Gardner')
  const got = await receiver.next('the event', isAbout(video._id))

  assert.deepEqual(await verifyWebhook({ body: got.body, headers: got.headers, secret }), got.event)
  assert.equal(got.id, got.event._id)
  assert.equal((got.event.data as { title: string }).title, 'Sallie Gardner')
  const delivery = await until('the delivery', async () =>
    (await deliveriesOf(webhook._id)).find(({ status }) => status === 'delivered'),
  )
  assert.deepEqual(
    [delivery.event_id, delivery.response_status, delivery.attempt_count, delivery.error],
    [got.id, 204, 1, null],
  )
  assert.ok(delivery.milliseconds !== null && delivery.delivered_at)
})

test('only events that match are sent, and only those of the channel', async () => {
  const { receiver } = await addWebhook(['playlist.created', '*.deleted'])
  const video = await addVideo('Not sent')
  await api.other.as('admin').playlists.create({ title: 'Of another channel' })
  await api.as('admin').playlists.create({ title: 'Sent' })
  await api.as('admin').videos.remove(video._id)
  await until('both events', () => receiver.received.length >= 2)
  assert.deepEqual(receiver.received.map(({ event }) => event.type).sort(), [
    'playlist.created',
    'video.deleted',
  ])
})

test('a receiver that is down for a day gets everything afterwards', async () => {
  const { receiver, webhook } = await addWebhook()
  receiver.answer = (response) => void response.writeHead(503).end('secret words of the receiver')
  const video = await addVideo('Retried')
  for (let count = 1; count < 7; count += 1) {
    const { error, response_status, next_attempt_at } = await attemptsOf(webhook._id, count)
    assert.deepEqual([error, response_status], ['The receiver answered 503.', 503])
    assert.ok(new Date(next_attempt_at ?? 0).getTime() > Date.now())
    await passTime(webhook._id)
  }
  await attemptsOf(webhook._id, 7)
  await webhookWhen(webhook._id, ({ failing_since }) => failing_since !== null)
  receiver.answer = (response) => void response.writeHead(200).end('thanks')
  await passTime(webhook._id)
  const done = await attemptsOf(webhook._id, 8)
  assert.deepEqual([done.status, done.attempts.length], ['delivered', 8])
  assert.doesNotMatch(JSON.stringify(done), /secret words/)
  await webhookWhen(webhook._id, ({ failing_since }) => failing_since === null)
  assert.equal(receiver.received.filter(isAbout(video._id)).length, 8)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
})

test('after the last attempt the delivery has failed, and can be sent again', async () => {
  const { receiver, webhook } = await addWebhook()
  receiver.answer = (response) => void response.writeHead(500).end()
  await addVideo('Given up')
  for (let count = 1; count <= 8; count += 1) {
    await attemptsOf(webhook._id, count)
    await passTime(webhook._id)
  }
  const [failed] = await deliveriesOf(webhook._id)
  assert.deepEqual([failed?.status, failed?.next_attempt_at], ['failed', null])
  receiver.answer = (response) => void response.writeHead(200).end()
  await api.as('admin').webhook_deliveries.retry(webhook._id, failed?._id ?? '')
  const delivered = await until('the delivery', async () =>
    (await deliveriesOf(webhook._id)).find(({ status }) => status === 'delivered'),
  )
  assert.deepEqual([delivered.attempt_count, delivered.attempts.length], [1, 9])
})

test('410 ends the delivery and switches the webhook off, and the owners get a mail', async () => {
  const { receiver, webhook } = await addWebhook()
  const owner = await addPublisher(api, [api.channel, 'owner'])
  receiver.answer = (response) => void response.writeHead(410).end()
  await addVideo('Gone')
  const { status } = await attemptsOf(webhook._id, 1)
  assert.equal(status, 'failed')
  const off = await webhookWhen(webhook._id, ({ active }) => !active)
  assert.equal(off.switched_off_reason, 'The receiver answered 410: it wants no more events.')

  const mails: { to: string; text: string }[] = []
  const context = {
    ...jobContext(api),
    eventDays: 7,
    mailer: { send: async (mail: never) => String(mails.push(mail)) },
  }
  const jobs = await api.database.db<{ payload: { webhook_id: string; publisher_id: string } }[]>`
    select payload from graphile_worker._private_jobs where payload ->> 'webhook_id' = ${webhook._id}
  `
  const job = jobs.filter(({ payload }) => payload.publisher_id === owner._id)
  assert.equal(job.length, 1, 'one mail for each owner')
  for (const { payload } of job)
    await mailWebhook.run({ ...payload, site_id: api.channel.channel._id }, context)
  assert.deepEqual(
    mails.map(({ to }) => to),
    [owner.email],
  )
  assert.ok(mails[0]?.text.includes(receiver.url) && mails[0].text.includes('Events are kept for 7 days.'))
})

test('failures on five days switch a webhook off; switched on again, what waited is sent', async () => {
  const { receiver, webhook } = await addWebhook()
  receiver.answer = (response) => void response.writeHead(500).end()
  await addVideo('Failing')
  await attemptsOf(webhook._id, 1)
  const { db } = api.database
  const failingDays = (count: number) =>
    until(`${count} days of failures`, async () => {
      const [row] = await db`select from webhooks where _id = ${webhook._id} and failing_days = ${count}`
      return row
    })
  await failingDays(1)
  // A failure long ago and another today are not enough.
  await db`update webhooks set failing_since = now() - interval '9 days', last_failed_on = current_date - 9`
  await passTime(webhook._id)
  await attemptsOf(webhook._id, 2)
  await failingDays(2)
  assert.equal((await webhookOf(webhook._id)).active, true)
  await db`update webhooks set failing_days = 4, last_failed_on = current_date - 1`
  await passTime(webhook._id)
  await attemptsOf(webhook._id, 3)
  const off = await webhookWhen(webhook._id, ({ active }) => !active)
  assert.match(off.switched_off_reason ?? '', /^Every delivery failed for 5 days/)
  const missed = await addVideo('Missed while it was off')
  const switchedOff = { status: 422, message: /switched off.*active to true/ }
  const from = new Date(Date.now() - 3_600_000)
  const [delivery] = await deliveriesOf(webhook._id)
  const { webhooks, webhook_deliveries } = api.as('admin')
  await assert.rejects(webhooks.replay(webhook._id, { from, failed_only: true }), switchedOff)
  await assert.rejects(webhook_deliveries.retry(webhook._id, delivery?._id ?? ''), switchedOff)

  receiver.answer = (response) => void response.writeHead(200).end()
  const on = await webhooks.update(webhook._id, { active: true })
  assert.deepEqual([on.failing_since, on.switched_off_reason], [null, null])
  await passTime(webhook._id)
  assert.equal((await attemptsOf(webhook._id, 4)).status, 'delivered')
  assert.ok(!receiver.received.some(isAbout(missed._id)))
  await webhooks.replay(webhook._id, { from, failed_only: true })
  await receiver.next('the missed event', isAbout(missed._id))
})

test('redirects, private addresses and names that move to one are not followed', async () => {
  const { receiver, webhook } = await addWebhook()
  const inside = await startReceiver()
  receivers.push(inside)
  receiver.answer = (response) => void response.writeHead(307, { location: inside.url }).end()
  await addVideo('Redirected')
  assert.match((await attemptsOf(webhook._id, 1)).error ?? '', /redirects to another address/)

  const port = new URL(inside.url).port
  names.set('rebound.test', '10.1.2.3')
  await api.as('admin').webhooks.update(webhook._id, { url: `http://rebound.test:${port}/hook` })
  await passTime(webhook._id)
  assert.match((await attemptsOf(webhook._id, 2)).error ?? '', /not on the public internet.*WEBHOOK_NETWORKS/)
  assert.deepEqual(inside.received, [])
})

const mostAtOnce = room.new.host

test('a hundred receivers that never answer do not delay one that does', async () => {
  const silent = await startReceiver()
  receivers.push(silent)
  silent.answer = () => {}
  // Another host than that of the live receiver: what is sent to one host at once is bounded.
  names.set('silent.test', '127.0.0.1')
  const { webhooks, videos } = api.other.as('admin')
  const url = silent.url.replace('127.0.0.1', 'silent.test')
  const { _id: first } = await webhooks.create({ url, events: ['video.*'] })
  await api.database.db`
    insert into webhooks (_id, site_id, url, events, sealed_secret)
    select lpad(number::text, 24, '0'), site_id, url || number, events, sealed_secret
    from webhooks cross join generate_series(1, 99) as number where _id = ${first}
  `
  for (let count = 0; count < 3; count += 1) await videos.create({ title: 'Not received' })
  await until('requests that wait for an answer', () => silent.received.length === mostAtOnce)
  const live = await addWebhook()
  for (let count = 0; count < 10; count += 1) {
    const { _id } = await addVideo(`Film ${count}`)
    await live.receiver.next('the event', isAbout(_id))
  }
  assert.equal(silent.received.length, mostAtOnce)
  // Each has a share: none has got a second one before all have the first.
  const shares = new Set(silent.received.map(({ path }) => path))
  assert.equal(shares.size, mostAtOnce)
})

test('changes without a request are sent at once, such as those of jobs', async () => {
  const { receiver } = await addWebhook()
  const video = await addVideo('Finished')
  await api.database.db`update videos set playable_at = now(), title = 'Playable' where _id = ${video._id}`
  const playable = await receiver.next('the milestone', isAbout(video._id, 'video.playable'))
  const updated = await receiver.next('the change', isAbout(video._id, 'video.updated'))
  assert.deepEqual([playable.event.actor, playable.event.request_id], [{ kind: 'system', id: null }, null])
  assert.equal((updated.event.previous as { title?: string }).title, 'Finished')
})

test('a sender that stops gives back what it was sending', async () => {
  const { receiver, webhook } = await addWebhook()
  receiver.answer = () => {}
  await addVideo('Broken off')
  await receiver.next('the event')
  await sender.stop()
  const [delivery] = await deliveriesOf(webhook._id)
  assert.deepEqual([delivery?.status, delivery?.attempt_count], ['waiting', 0])
  receiver.answer = (response) => void response.writeHead(204).end()
  sender = await newSender()
  assert.equal((await attemptsOf(webhook._id, 1)).status, 'delivered')
})

test('during a rotation both secrets verify', async () => {
  const { receiver, webhook, secret } = await addWebhook()
  const rotated = await api.as('admin').webhooks.rotateSecret(webhook._id)
  assert.ok(rotated.secret && rotated.secret !== secret && rotated.previous_secret_until)
  const video = await addVideo('Twice signed')
  const { body, headers } = await receiver.next('the event', isAbout(video._id))
  for (const each of [secret, rotated.secret]) await verifyWebhook({ body, headers, secret: each })
  await api.database.db`update webhooks set previous_secret_until = now() where _id = ${webhook._id}`
  const later = await addVideo('Once signed')
  const next = await receiver.next('the later event', isAbout(later._id))
  await assert.rejects(verifyWebhook({ ...next, secret }), /does not match/)
  const { response } = await api.as('admin').events.list({ record_id: webhook._id })
  assert.deepEqual(
    response.map(({ type }) => type),
    ['webhook.rotated', 'webhook.created'],
  )
  assert.doesNotMatch(JSON.stringify(response), /whsec_|sealed|\\\\x/)
})

test('a test event is sent whatever types the webhook takes', async () => {
  const { receiver, webhook } = await addWebhook(['playlist.deleted'])
  await api.as('admin').webhooks.test(webhook._id)
  const { event } = await receiver.next('the test', (one) => one.event.type === 'webhook.test')
  assert.equal((event.data as { _id: string })._id, webhook._id)
})

test('wrong addresses and patterns are refused with a reason', async () => {
  const { webhooks } = api.as('admin')
  const refused = (fields: { url?: string; events?: string[] }, message: RegExp) =>
    assert.rejects(webhooks.create({ url: 'https://example.com/hook', events: ['*'], ...fields }), {
      status: 422,
      message,
    })
  await refused({ url: 'ftp://example.com' }, /http/)
  await refused({ url: 'https://user:word@example.com/' }, /user name or a password/)
  await refused({ url: 'http://example.com:5432/' }, /Port 5432/)
  for (const host of ['10.1.2.3', '[::1]', '[::ffff:192.168.0.1]', '169.254.169.254'])
    await refused({ url: `http://${host}/` }, /not on the public internet.*WEBHOOK_NETWORKS/)
  await refused({ events: [] }, /at least one/)
  await refused({ events: ['video'] }, /write video\.\* for all/)
  await refused({ events: ['video created'] }, /pattern such as video\.\*/)
  await refused({ events: ['vidoe.*'] }, /vidoe/)
  await refused({ events: ['video.creatd'] }, /video\.creatd.*: video\.\* matches all of its types/)
  // As a regular expression, this would take years.
  await refused({ events: [`${'*'.repeat(97)}x.y`] }, /matches no type of event/)
})

test('in the dashboard, what sends data elsewhere needs the password', async () => {
  const { webhook } = await addWebhook()
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const send = (method: string, path: string, fields?: object) =>
    ask(`${api.url}/webhooks${path}`, 'json', {
      method,
      headers: { ...owner.headers(api.channel), 'content-type': 'application/json' },
      ...(fields ? { body: JSON.stringify(fields) } : {}),
    })
  const fields = { url: 'https://example.com/hook', events: ['*'] }
  assert.equal((await send('POST', '', fields)).status, 201)
  await api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  for (const refused of [
    await send('POST', '', fields),
    await send('PUT', `/${webhook._id}`, { url: fields.url }),
    await send('PUT', `/${webhook._id}`, { events: ['*'] }),
    await send('POST', `/${webhook._id}/rotate_secret`),
  ])
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_required'])
  assert.equal((await send('PUT', `/${webhook._id}`, { active: false })).status, 200)
})
