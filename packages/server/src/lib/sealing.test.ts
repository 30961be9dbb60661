import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealer, sameDigest } from './sealing.js'

const sealer = createSealer('one key of at least thirty-two characters')
const other = createSealer('another key of thirty-two characters and more')

test('a sealed secret opens again and looks different each time', () => {
  for (const secret of ['', 'zk_admin_0123', '🎬'.repeat(100)]) {
    assert.equal(sealer.unseal(sealer.seal(secret)), secret)
    assert.notDeepEqual(sealer.seal(secret), sealer.seal(secret))
    if (secret) assert.ok(!sealer.seal(secret).includes(secret))
  }
})

test('the digest of a secret is stable, and differs with another key', () => {
  assert.deepEqual(sealer.digest('a'), sealer.digest('a'))
  assert.notDeepEqual(sealer.digest('a'), sealer.digest('b'))
  assert.notDeepEqual(sealer.digest('a'), other.digest('a'))
  assert.notEqual(sealer.fingerprint, other.fingerprint)
  assert.equal(sealer.fingerprint, createSealer('one key of at least thirty-two characters').fingerprint)
})

test('a sealed value that was changed, truncated or sealed with another key does not open', () => {
  const sealed = sealer.seal('secret')
  const changed = Buffer.from(sealed)
  changed[15] = (changed[15] ?? 0) ^ 1
  for (const wrong of [changed, sealed.subarray(0, -1), Buffer.alloc(0), other.seal('secret')])
    assert.throws(() => sealer.unseal(wrong))
})

test('two digests are equal only if every byte is', () => {
  assert.equal(sameDigest(sealer.digest('a'), sealer.digest('a')), true)
  assert.equal(sameDigest(sealer.digest('a'), sealer.digest('b')), false)
  assert.equal(sameDigest(sealer.digest('a'), sealer.digest('a').subarray(1)), false)
})
