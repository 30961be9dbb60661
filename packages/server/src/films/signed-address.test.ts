import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../lib/object-id.js'
import { createSealer } from '../lib/sealing.js'
import { type AddressClaims, expiryFrom, openAddress, signAddress } from './signed-address.js'

const sealer = createSealer('a secret key of more than 32 characters, for this test')
const now = Date.UTC(2026, 0, 15, 12, 20)
const claims: AddressClaims = {
  site_id: newId(),
  video_id: newId(),
  source_id: newId(),
  sees_hidden: false,
  consumer_id: '',
  client_facts: '',
  grant: '',
  encrypted: false,
  expires: expiryFrom(now),
}
const token = signAddress(sealer, claims)

test('a token opens what it was made for, and may stand in an address', () => {
  assert.deepEqual(openAddress(sealer, token, now), claims)
  assert.match(token, /^[\w-]+\.[\w-]+$/)
  assert.equal(encodeURIComponent(token), token)
  const more = {
    ...claims,
    source_id: '',
    sees_hidden: true,
    consumer_id: newId(),
    client_facts: '["Roku","","a.example:80"]',
    grant: `s${newId()}`,
    encrypted: true,
  }
  for (const each of [more, { ...more, client_facts: '' }, { ...more, grant: '' }])
    assert.deepEqual(openAddress(sealer, signAddress(sealer, each), now), each)
})

test('a token from before there was encryption opens what it did', () => {
  const { site_id, video_id, source_id, expires } = claims
  const payload = [site_id, video_id, source_id, 'active', expires.toString(36)].join('.')
  const signature = Buffer.from(sealer.derive('playback', payload), 'hex').toString('base64url')
  const old = `${Buffer.from(payload).toString('base64url')}.${signature}`
  assert.deepEqual(openAddress(sealer, old, now), claims)
})

test('it lasts for about twelve hours, and not a moment longer', () => {
  const hours = (claims.expires - now) / 3_600_000
  assert.ok(hours > 11 && hours <= 12, String(hours))
  assert.ok(openAddress(sealer, token, claims.expires - 1))
  assert.equal(openAddress(sealer, token, claims.expires), undefined)
})

test('viewers of the same hour get the same token', () => {
  assert.equal(expiryFrom(now + 60_000), claims.expires)
  assert.equal(signAddress(sealer, { ...claims }), token)
})

test('a token with any character changed, added or left out opens nothing', () => {
  for (let place = 0; place < token.length; place += 1) {
    const other = token[place] === 'A' ? 'B' : 'A'
    for (const put of [other, '', `${token[place]}A`, `${token[place]}=`]) {
      const altered = token.slice(0, place) + put + token.slice(place + 1)
      assert.equal(openAddress(sealer, altered, now), undefined, `${put} at ${place}`)
    }
  }
})

test('texts of other forms open nothing', () => {
  const [payload = '', signature = ''] = token.split('.')
  for (const text of ['', '.', '..', 'x', payload, `${payload}.`, `.${signature}`, `${token}.x`, '\0', 'é.é'])
    assert.equal(openAddress(sealer, text, now), undefined, text)
})

test('the signature of one payload does not open another, nor one made with another key', () => {
  const other = signAddress(sealer, { ...claims, video_id: newId() })
  const mixed = `${other.split('.')[0]}.${token.split('.')[1]}`
  assert.equal(openAddress(sealer, mixed, now), undefined)
  const stranger = createSealer('another secret key of more than 32 characters')
  assert.equal(openAddress(stranger, token, now), undefined)
})
