import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misspeltSettings } from './misspelt-settings.js'

test('a variable that is a letter away from a setting is named, unless that setting is there too', () => {
  const env = { DATABSE_URL: 'x', STORAGE_ULR: 'x', PORTT: '1', HOME: '/root', REDIS_URL: 'x', PATH: '/bin' }
  const sentences = ['DATABSE_URL', 'STORAGE_ULR', 'PORTT'].map(
    (name) => new RegExp(`^${name} is not a setting`),
  )
  const found = misspeltSettings(env)
  assert.equal(found.length, sentences.length, found.join())
  for (const [index, sentence] of sentences.entries()) assert.match(found[index] ?? '', sentence)
  assert.match(found[0] ?? '', /did you mean DATABASE_URL\?/)
  assert.deepEqual(misspeltSettings({ DATABSE_URL: 'x', DATABASE_URL: 'y' }), [])
})
