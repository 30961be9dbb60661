/** The list of unstable tests cannot hide failures for long. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { forgivenBy, judge, type KnownUnstable, readUnstable } from '../scripts/test/unstable.js'

const entry: KnownUnstable = {
  file: 'test/api/videos.test.ts',
  test: 'a video is made',
  reason: 'an example',
  until: '2030-06-15',
}

test('every entry names a file that exists, a reason, and a day at most two months away', () => {
  const latest = new Date(Date.now() + 62 * 86_400_000).toISOString().slice(0, 10)
  for (const { file, test: name, reason, until } of readUnstable()) {
    assert.ok(existsSync(file), file)
    assert.ok(name.length > 0 && reason.length > 10, name)
    assert.match(until, /^\d{4}-\d\d-\d\d$/)
    assert.ok(until <= latest, `${name} is forgiven until ${until}`)
  }
})

test('a known failure is tolerated until its day is over', () => {
  assert.equal(forgivenBy([entry], entry.file, entry.test, '2030-06-15'), entry)
  assert.equal(forgivenBy([entry], entry.file, entry.test, '2030-06-16'), undefined)
})

test('a failure of another test, or of another file, counts', () => {
  assert.equal(forgivenBy([entry], entry.file, 'another test', '2030-01-01'), undefined)
  assert.equal(forgivenBy([entry], 'test/api/other.test.ts', entry.test, '2030-01-01'), undefined)
  const failures = [{ name: 'another test', reason: 'it failed' }]
  const [verdict] = judge([{ file: entry.file, seconds: 1, passed: 0, skipped: 0, failures }], [entry])
  assert.equal(verdict?.forgiven, undefined)
})
