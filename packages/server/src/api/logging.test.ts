import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutCredential } from './logging.js'

test('what opens something is left out of logged paths', () => {
  for (const [path, logged] of [
    ['/films/65f0/hls_360p/m5x2.a-c2lnbmF0dXJl/3.m4s', '/films/65f0/hls_360p/…/3.m4s'],
    ['/media/token/hls/master.m3u8', '/media/…/hls/master.m3u8'],
    ['/uploads/tus/token', '/uploads/tus/…'],
    ['/videos/65f0', '/videos/65f0'],
  ] as const)
    assert.equal(withoutCredential(path), logged)
})
