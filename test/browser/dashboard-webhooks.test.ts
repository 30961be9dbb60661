import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '@zoetrope/sdk'
import { eventBodies } from '../../packages/server/src/features/events/bodies.js'
import { startSender } from '../../packages/server/src/webhooks/sender.js'
import { barriersOn, overflowOf } from '../support/dashboard.js'
import { leave, looks, withDashboard } from '../support/dashboard-tests.js'
import { until } from '../support/patience.js'
import { password } from '../support/publishers.js'
import { type Receiver, startReceiver } from '../support/webhook-receiver.js'

let receiver: Receiver
const others: Receiver[] = []
const dashboard = withDashboard(async ({ api: { database, parts } }) => {
  receiver = await startReceiver()
  const sender = await startSender({
    database,
    sealer: parts.sealer,
    reach: { allow: (address) => address === '127.0.0.1' },
    readBodies: (events) => eventBodies(database.db, events),
    onError: (error) => assert.fail(String(error)),
  })
  return async () => {
    await sender.stop()
    await Promise.all([receiver, ...others].map((each) => each.stop()))
  }
})

test('a webhook is made for video.*, tried, seen delivering, given a new secret, and replayed', async () => {
  const page = await dashboard.open('/webhooks')
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('link', { name: 'New webhook' }).first().click()
  const events = page.getByRole('combobox', { name: 'Events' })
  const address = page.getByRole('textbox', { name: 'Address' })
  await address.fill('http://10.0.7.1/hook')
  await events.fill('vidoe.*')
  await events.press('Enter')
  await events.press('Escape')
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
  await page
    .getByText(/^10\.0\.7\.1 is not on the public internet/)
    .first()
    .waitFor()
  await address.fill(receiver.url)
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
  await page.getByText('has vidoe.*, which matches no type of event', { exact: true }).waitFor()
  await events.press('Backspace')
  await events.fill('video.*')
  await events.press('Enter')
  await events.press('Escape')
  await dashboard.api.database.db`update publisher_sessions set confirmed_at = now() - interval '1 hour'`
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
  const confirming = page.getByRole('dialog')
  await confirming.getByRole('textbox', { name: 'Password' }).fill(password)
  await confirming.getByRole('button', { name: 'Confirm' }).click()
  const shown = page.getByText(/^whsec_\S{32}$/)
  await shown.waitFor()
  const secret = (await shown.textContent()) ?? ''
  assert.deepEqual(await barriersOn(page), [])
  await page.getByRole('link', { name: 'Go to the webhook' }).click()

  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await deliveries.getByText('Nothing was sent yet.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Send test event' }).click()
  const row = deliveries.getByRole('row').filter({ hasText: 'webhook.test' })
  await row.getByText('Delivered').waitFor()
  await row.getByText(/^204 · \d+ ms$/).waitFor()
  const tested = await receiver.next('the test', ({ event }) => event.type === 'webhook.test')
  await verifyWebhook({ ...tested, secret })

  await page.getByRole('button', { name: 'Replace secret' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Replace secret' }).click()
  const replaced = dialog.getByText(/^whsec_\S{32}$/)
  await replaced.waitFor()
  const second = (await replaced.textContent()) ?? ''
  assert.deepEqual(await barriersOn(page), [])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  const video = await dashboard.api.as('admin').videos.create({ title: 'Sallie Gardner' })
  const isCreation = ({ event }: (typeof receiver.received)[number]) => event.record_id === video._id
  const created = await receiver.next('the event', isCreation)
  for (const each of [secret, second]) await verifyWebhook({ ...created, secret: each })
  await page.getByRole('button', { name: 'Replay' }).click()
  await dialog.getByLabel('Only events that were not delivered').uncheck()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('The events are being sent again').waitFor()
  await until('the replay', () => receiver.received.filter(isCreation).length === 2)
  await deliveries.getByRole('row').filter({ hasText: 'video.created' }).getByText('Delivered').waitFor()
  await leave(page)
})

for (const [look, options] of Object.entries(looks))
  test(`a webhook that was switched off says why, and has no barriers on ${look}`, async () => {
    const { database, channel, as } = dashboard.api
    const { webhooks, videos } = as('admin')
    const silent = await startReceiver()
    others.push(silent)
    silent.answer = (response) => void response.writeHead(410).end()
    const { _id } = await webhooks.create({
      url: silent.url,
      events: ['video.*', 'playlist.deleted'],
      description: `The search of the website on ${look}`,
    })
    await videos.create({ title: 'Missed' })
    await until('the end', async () => !(await webhooks.get(_id)).active)
    const page = await dashboard.open(`/webhooks/${_id}`, options)
    await page.getByText('The receiver answered 410: it wants no more events.').waitFor()
    await page.getByText(/^410 · \d+ ms$/).waitFor()
    assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
    silent.answer = (response) => void response.writeHead(204).end()
    await page.getByRole('button', { name: 'Switch on and send missed events' }).click()
    await page
      .getByText(/^204 · \d+ ms$/)
      .first()
      .waitFor()
    assert.equal((await webhooks.get(_id)).active, true)
    await database.db`update webhooks set failing_since = now() where site_id = ${channel.channel._id} and _id = ${_id}`
    await page.reload()
    await page.getByText('Deliveries fail', { exact: true }).waitFor()
    assert.deepEqual([await barriersOn(page), await overflowOf(page)], [[], 0])
    await webhooks.remove(_id)
    await leave(page)
  })
