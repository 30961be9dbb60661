import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey } from './client-address.js'

test('an IPv4 address is left as it is', () => {
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7')
})

test('an IPv4 address inside IPv6 counts as IPv4 in every spelling', () => {
  for (const ip of [
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '0:0:0:0:0:ffff:203.0.113.7',
    '::ffff:cb00:7107',
    '0000:0000:0000:0000:0000:ffff:cb00:7107',
  ])
    assert.equal(addressKey(ip), '203.0.113.7', ip)
})

test('an IPv6 address is reduced to its first half, in one spelling', () => {
  for (const ip of [
    '2001:db8:0:7::1',
    '2001:DB8:0:7::2',
    '2001:0db8:0000:0007:ffff:ffff:ffff:ffff',
    '2001:db8::7:1:2:3:4',
    '2001:db8:0:7::192.0.2.1',
    '2001:db8:0:7::1%eth0',
  ])
    assert.equal(addressKey(ip), '2001:db8:0:7::/64', ip)
})

test('neighbouring networks count as different addresses', () => {
  assert.notEqual(addressKey('2001:db8:0:7::1'), addressKey('2001:db8:0:8::1'))
  assert.notEqual(addressKey('2001:db8:7::1'), addressKey('2001:db8:0:7::1'))
})

test('short IPv6 addresses are not mistaken for IPv4', () => {
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  assert.equal(addressKey('::'), '0:0:0:0::/64')
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(addressKey('2001:db8:1:2:3:4:5::'), '2001:db8:1:2::/64')
})

test('text that is not an address counts as itself', () => {
  assert.equal(addressKey(''), '')
  assert.equal(addressKey('unix'), 'unix')
})
