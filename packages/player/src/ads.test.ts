import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaks, isDue, readSchedule } from './ads.js'

const tag = 'https://ads.example/vast'

test('a schedule is sorted, and invalid entries are ignored', () => {
  const text = JSON.stringify([{ offset: 9000, tag }, { offset: 'x', tag }, { offset: 0, tag }, null])
  assert.deepEqual(
    readSchedule(text).map(({ offset }) => offset),
    [0, 9000],
  )
  for (const nothing of [null, '', '{', '{}', 'null']) assert.deepEqual(readSchedule(nothing), [])
})

test('each break fires once, and skipping several fires the last', () => {
  const breaks = createBreaks([0, 10, 20, 30].map((seconds) => ({ offset: seconds * 1000, tag })))
  const at = (seconds: number) => breaks.at(seconds)?.offset
  assert.equal(at(0), 0)
  assert.equal(at(9.9), undefined)
  assert.equal(at(25), 20_000)
  assert.equal(at(11), undefined)
  assert.equal(at(30), 30_000)
  assert.equal(at(99), undefined)
  breaks.again()
  assert.equal(at(12), 10_000)
})

test('every so many plays have breaks, counted by name, and remembered', () => {
  let kept: string | null = null
  const store = {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value
    },
  }
  const plays = (every: number, name: string) => Array.from({ length: 6 }, () => isDue(every, name, store))
  assert.deepEqual(plays(3, 'library'), [false, false, true, false, false, true])
  assert.deepEqual(plays(2, 'library film'), [false, true, false, true, false, true])
  assert.equal(isDue(3, 'library', store), false)
  for (const none of [0, 1, Number.NaN]) assert.equal(isDue(none, 'other', store), true)
  kept = 'broken'
  assert.deepEqual([isDue(2, 'library', store), isDue(2, 'library', store)], [false, true])
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  assert.equal(isDue(2, 'library', full), false)
})
