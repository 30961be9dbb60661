import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNetworks } from './networks.js'

test('an address matches a named network, a range, or itself', () => {
  const isOurs = createNetworks(['loopback', '10.1.0.0/16', '192.168.7.7', 'fd00:1::/32'])
  const inside = ['127.0.0.1', '127.9.9.9', '::1', '10.1.255.1', '192.168.7.7', 'fd00:1::5']
  const outside = ['10.2.0.1', '192.168.7.8', 'fd00:2::5', '169.254.169.254', '::', 'nonsense', '']
  assert.deepEqual(inside.filter(isOurs), inside)
  assert.deepEqual(outside.filter(isOurs), [])
})

test('an empty list matches no address', () => {
  assert.equal(createNetworks([])('127.0.0.1'), false)
})
