import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recall, remember } from './position.js'

function createStore() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
}

test('a position in the middle is remembered for its video alone', () => {
  const store = createStore()
  remember(store, 'a', 61.234, 300)

  assert.equal(recall(store, 'a'), 61.2)
  assert.equal(recall(store, 'b'), undefined)
})

test('ten seconds at either end are forgotten', () => {
  for (const seconds of [0, 9.9, 291, 300]) {
    const store = createStore()
    remember(store, 'a', 100, 300)
    remember(store, 'a', seconds, 300)
    assert.equal(recall(store, 'a'), undefined, `${seconds}`)
  }
})

test('the hundred last used are kept', () => {
  const store = createStore()
  for (let index = 0; index < 100; index += 1) remember(store, `v${index}`, 100, 300)
  remember(store, 'v0', 120, 300)
  remember(store, 'newest', 50, 300)

  assert.equal(recall(store, 'v0'), 120)
  assert.equal(recall(store, 'v1'), undefined)
  assert.equal(recall(store, 'v2'), 100)
  assert.equal(recall(store, 'newest'), 50)
})

test('a full or corrupt storage does no harm', () => {
  const strange = { getItem: () => '"?', setItem: () => assert.fail('quota') }

  assert.equal(recall(strange, 'a'), undefined)
  remember(strange, 'a', 50, 300)
})
