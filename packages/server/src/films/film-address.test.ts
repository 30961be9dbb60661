import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../lib/object-id.js'
import { createSealer } from '../lib/sealing.js'
import { type FilmClaims, openFilm, sealFilm } from './film-address.js'
import { expiryFrom, signAddress } from './signed-address.js'

const sealer = createSealer('a secret key of more than 32 characters, for this test')
const now = Date.UTC(2026, 0, 15, 12, 20)
const claims: FilmClaims = {
  source_id: newId(),
  track: 'hls_720p',
  encrypted: false,
  is_admitted: false,
  expires: expiryFrom(now),
}
const seal = sealFilm(sealer, claims)
const open = (changes: Partial<{ source_id: string; track: string; seal: string }> = {}, at = now) =>
  openFilm(sealer, { source_id: claims.source_id, track: claims.track, seal, ...changes }, at)

test('a seal opens what it was made for, and may stand in an address', () => {
  for (const encrypted of [false, true])
    for (const is_admitted of [false, true]) {
      const given = { ...claims, encrypted, is_admitted }
      const made = sealFilm(sealer, given)
      assert.deepEqual(open({ seal: made }), given)
      assert.equal(encodeURIComponent(made), made)
    }
})

test('viewers of the same hour get the same seal, and those of the next hour another', () => {
  const later = (ms: number) => sealFilm(sealer, { ...claims, expires: expiryFrom(now + ms) })
  assert.equal(later(39 * 60_000), seal)
  assert.notEqual(later(40 * 60_000), seal)
})

test('it opens no other source and no other track, and not a moment longer', () => {
  assert.ok(open({}, claims.expires - 1))
  assert.equal(open({}, claims.expires), undefined)
  assert.equal(open({ source_id: newId() }), undefined)
  for (const track of ['hls_1080p', 'audio', 'mp4_360p', '', 'hls_720p/', 'HLS_720p', 'hls_720p\0'])
    assert.equal(open({ track }), undefined, track)
})

test('where one part of an address ends and the next begins cannot be moved', () => {
  const { source_id, track } = claims
  assert.equal(open({ source_id: `${source_id}${track}`, track: '' }), undefined)
  assert.equal(open({ source_id: `${source_id}","${track}`, track: '' }), undefined)
  assert.equal(open({ source_id: source_id.slice(0, -1), track: `${source_id.at(-1)}${track}` }), undefined)
})

test('a seal with any character changed, added or left out opens nothing', () => {
  for (let place = 0; place < seal.length; place += 1) {
    const other = seal[place] === 'A' ? 'B' : 'A'
    for (const put of [other, '', `${seal[place]}A`, `${seal[place]}a`, `${seal[place]}=`]) {
      const altered = seal.slice(0, place) + put + seal.slice(place + 1)
      assert.equal(open({ seal: altered }), undefined, `${put} at ${place}`)
    }
  }
  for (const text of ['', '-', '.', '.-', 'x', seal.split('-')[0], `${seal}\n`, 'é-é'])
    assert.equal(open({ seal: text ?? '' }), undefined, text)
})

test('the seals of others, and tokens of viewers, open nothing', () => {
  const stranger = createSealer('another secret key of more than 32 characters')
  assert.equal(open({ seal: sealFilm(stranger, claims) }), undefined)
  const viewer = {
    site_id: newId(),
    video_id: newId(),
    sees_hidden: false,
    consumer_id: '',
    client_facts: '',
    grant: '',
  }
  const { source_id, encrypted, expires } = claims
  assert.equal(open({ seal: signAddress(sealer, { ...viewer, source_id, encrypted, expires }) }), undefined)
})
