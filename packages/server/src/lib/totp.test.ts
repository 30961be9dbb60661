import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, codeAt, newTotpSecret, stepAt, stepOf, totpUri } from './totp.js'

const secret = base32(Buffer.from('12345678901234567890'))

test('codes match RFC 6238, appendix B', () => {
  const known = {
    59: '287082',
    1111111109: '081804',
    1111111111: '050471',
    1234567890: '005924',
    2000000000: '279037',
    20000000000: '353130',
  }
  for (const [seconds, code] of Object.entries(known))
    assert.equal(codeAt(secret, stepAt(Number(seconds) * 1000)), code)
})

test('a code is valid in its half minute and the ones before and after', () => {
  const now = 1_234_567_890_000
  const code = codeAt(secret, stepAt(now))

  for (const off of [-30_000, 0, 30_000]) assert.equal(stepOf(secret, code, now + off), stepAt(now))
  for (const off of [-60_000, 60_000]) assert.equal(stepOf(secret, code, now + off), undefined)
  assert.equal(stepOf(secret, '', now), undefined)
})

test('secrets are written as authenticator apps read them', () => {
  assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.match(newTotpSecret(), /^[A-Z2-7]{32}$/)
  assert.equal(
    totpUri(secret, 'ada@example.com'),
    `otpauth://totp/Zoetrope:ada%40example.com?secret=${secret}&issuer=Zoetrope`,
  )
})
