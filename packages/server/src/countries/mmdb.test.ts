import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleNetworks, writeMmdb } from '../../../../test/support/mmdb.js'
import { openMmdb } from './mmdb.js'

for (const size of [24, 28, 32] as const)
  test(`a file with records of ${size} bits locates addresses`, () => {
    const { kind, find } = openMmdb(writeMmdb({ networks: exampleNetworks, size }))
    assert.equal(kind, 'Test-Country')
    assert.deepEqual(find('192.0.2.1'), { country: { iso_code: 'DE' }, continent: { code: 'EU' } })
    assert.deepEqual(find('198.51.100.255'), { country: { iso_code: 'US' }, continent: { code: 'NA' } })
    assert.deepEqual(find('2001:db8:1::5'), { country: { iso_code: 'JP' }, continent: { code: 'AS' } })
    assert.deepEqual(find('::ffff:192.0.2.9'), find('192.0.2.1'))
    for (const elsewhere of ['192.0.3.1', '10.0.0.1', '2001:db9::1', '', 'x', '1.2.3', '999.1.1.1'])
      assert.equal(find(elsewhere), undefined, elsewhere)
  })

test('a file with only IPv4 returns nothing for IPv6', () => {
  const { find } = openMmdb(writeMmdb({ networks: [['192.0.2.0/24', { country: 'x' }]], version: 4 }))
  assert.deepEqual(find('192.0.2.77'), { country: 'x' })
  assert.equal(find('2001:db8::1'), undefined)
})

test('all types of data are read: long texts, numbers, lists and booleans', () => {
  const value = {
    name: 'x'.repeat(200),
    confidence: 70_000,
    is_anycast: true,
    list: ['a', 'b'],
    deep: { er: { x: 1 } },
  }
  assert.deepEqual(openMmdb(writeMmdb({ networks: [['0.0.0.0/1', value]] })).find('1.2.3.4'), value)
})

test('any malformed file is refused with a reason', () => {
  const whole = writeMmdb({ networks: exampleNetworks })
  for (const file of [
    Buffer.alloc(0),
    Buffer.from('not a database'),
    whole.subarray(0, 200),
    whole.subarray(-60),
  ])
    assert.throws(() => openMmdb(file), Error)
})

test('damaged bytes cause an error or a wrong result, but never an endless loop', () => {
  const whole = writeMmdb({ networks: exampleNetworks, size: 24 })
  for (let at = 0; at < whole.length; at += 1)
    for (const byte of [0x00, 0x20, 0x3f, 0xe0, 0xff]) {
      const damaged = Buffer.from(whole)
      damaged[at] = byte
      try {
        openMmdb(damaged).find('192.0.2.1')
      } catch (error) {
        assert.ok(error instanceof Error)
      }
    }
})
