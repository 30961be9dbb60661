import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, plainAddress } from './public-address.js'

const isOpen = (address: string) => isPublicAddress(plainAddress(address))

test('addresses that everyone can reach are public', () => {
  for (const address of [
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '64:ff9b::1.1.1.1',
    '::ffff:1.1.1.1',
  ])
    assert.equal(isOpen(address), true, address)
})

test('all others are not public, in any spelling', () => {
  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:101:101::1',
    '2001:0:1::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '',
    'localhost',
    '1.1.1',
  ])
    assert.equal(isOpen(address), false, address)
})
