import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { newWebhookSecret, signatureHeaders } from './signature.js'

test('a secret has 24 random bytes, and no two are alike', () => {
  const secret = newWebhookSecret()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.notEqual(secret, newWebhookSecret())
})

test('a delivery is signed with every secret, over id, time and body', () => {
  const [first, second] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signatureHeaders([first, second], 'evt', new Date(1_700_000_000_900), '{"a":1}')
  assert.equal(headers['webhook-timestamp'], '1700000000')
  const expected = [first, second].map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update('evt.1700000000.{"a":1}').digest('base64')}`
  })
  assert.equal(headers['webhook-signature'], expected.join(' '))
})
