import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { newWebhookSecret, signatureHeaders } from '../packages/server/src/webhooks/signature.js'

const require = createRequire(import.meta.url)
/** The reference implementation of Standard Webhooks. */
const { Webhook } = require('standardwebhooks') as {
  Webhook: new (
    secret: string,
  ) => {
    verify(body: string, headers: Readonly<Record<string, string>>): unknown
    sign(id: string, at: Date, body: string): string
  }
}

const body = JSON.stringify({ _id: 'e1', type: 'video.created', data: { title: 'Café' } })

test('the reference implementation verifies our signatures, also during a rotation', () => {
  const [old, secret] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signatureHeaders([secret, old], 'e1', new Date(), body)
  for (const each of [old, secret])
    assert.deepEqual(new Webhook(each).verify(body, headers), JSON.parse(body))
  assert.throws(() => new Webhook(newWebhookSecret()).verify(body, headers))
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
})

test('the reference implementation signs as we do', () => {
  const [secret, at] = [newWebhookSecret(), new Date()]
  assert.equal(
    new Webhook(secret).sign('e1', at, body),
    signatureHeaders([secret], 'e1', at, body)['webhook-signature'],
  )
})
