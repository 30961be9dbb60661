import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf } from './name-of.js'

test('a track is named by its publisher, by its language, or as the audio of the film', () => {
  const film = { title: null, language: null, origin: 'film' } as const
  assert.equal(nameOf({ ...film, title: 'Director', language: 'en' }), 'Director')
  assert.equal(nameOf({ ...film, language: 'en' }), 'English')
  assert.equal(nameOf(film), 'Original audio')
  assert.equal(nameOf({ ...film, origin: 'upload' }), 'Audio')
})
