import assert from 'node:assert/strict'
import { test } from 'node:test'
import { captionCss, fitStyle } from './caption-style.js'
import { positionForKey } from './keys.js'
import { readPreferences, savePreferences } from './preferences.js'

function createStore() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
}

test('each preference is kept when another one changes', () => {
  const store = createStore()
  savePreferences(store, { rate: 1.5 })
  savePreferences(store, { captions: 'de' })
  savePreferences(store, { captions: null })
  assert.deepEqual(readPreferences(store), { rate: 1.5, captions: null })
})

test('without a storage, with a full one and with a damaged one there are no preferences', () => {
  assert.deepEqual(readPreferences(undefined), {})
  savePreferences(undefined, { rate: 2 })
  const full = {
    getItem: () => '{',
    setItem() {
      throw new Error('full')
    },
  }
  savePreferences(full, { rate: 2 })
  assert.deepEqual(readPreferences(full), {})
})

test('a caption style contains only values that exist', () => {
  assert.deepEqual(fitStyle({ size: '150', color: 'red;}', background: 'none' } as never), {
    size: '150',
    color: 'white',
    background: 'none',
  })
  assert.match(captionCss(fitStyle({ size: '200', color: 'yellow' })), /font-size:200%;.*color:#ffe14d/)
})

test('digits lead to tenths of the film, Home and End to its ends', () => {
  assert.deepEqual(
    ['0', '5', '9', 'Home', 'a'].map((key) => positionForKey(key, 200)),
    [0, 100, 180, 0, undefined],
  )
  assert.ok((positionForKey('End', 200) ?? 0) > 199)
  assert.equal(positionForKey('5', Number.NaN), undefined)
  assert.equal(positionForKey('5', Number.POSITIVE_INFINITY), undefined)
})
