import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.js'

const secret = `whsec_${randomBytes(24).toString('base64')}`
const body = JSON.stringify({ _id: 'e1', type: 'video.created', data: { title: 'Café' } })

function signed(text: string, key = secret, at = Math.floor(Date.now() / 1000)) {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', bytes).update(`e1.${at}.${text}`).digest('base64')
  return { 'webhook-id': 'e1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
}

const refused = (message: RegExp) => (error: unknown) =>
  error instanceof WebhookVerificationError && message.test(error.message)

test('returns the event of a delivery, from text, bytes and Headers', async () => {
  const headers = signed(body)
  for (const request of [
    { body, headers },
    { body: Buffer.from(body), headers },
    { body, headers: new Headers(headers) },
  ])
    assert.deepEqual(await verifyWebhook({ ...request, secret }), JSON.parse(body))
})

test('accepts any of several secrets and signatures, as during a rotation', async () => {
  const other = `whsec_${randomBytes(24).toString('base64')}`
  const headers = signed(body)
  const both = { ...headers, 'webhook-signature': `v2,x v1,AAAA ${headers['webhook-signature']}` }
  assert.equal((await verifyWebhook({ body, headers: both, secret: [other, secret] })).type, 'video.created')
})

test('refuses a changed body, another secret, an old delivery and missing headers', async () => {
  const headers = signed(body)
  const old = signed(body, secret, Math.floor(Date.now() / 1000) - 301)
  const ahead = signed(body, secret, Math.floor(Date.now() / 1000) + 310)
  const other = `whsec_${randomBytes(24).toString('base64')}`
  await assert.rejects(verifyWebhook({ body: `${body} `, headers, secret }), refused(/does not match/))
  await assert.rejects(verifyWebhook({ body, headers, secret: other }), refused(/does not match/))
  await assert.rejects(verifyWebhook({ body, headers: old, secret }), refused(/too old/))
  await assert.rejects(verifyWebhook({ body, headers: ahead, secret }), refused(/clock/))
  await assert.rejects(verifyWebhook({ body, headers: {}, secret }), refused(/webhook-id is missing/))
  const broken = { ...headers, 'webhook-signature': 'v1,%%%' }
  await assert.rejects(verifyWebhook({ body, headers: broken, secret }), refused(/does not match/))
})
