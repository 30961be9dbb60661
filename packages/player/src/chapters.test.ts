import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chapterAt, fitChapters, readChapters } from './chapters.js'

test('chapters are read from an attribute, and anything else is left out', () => {
  const text = JSON.stringify([{ start: 0, title: 'One' }, { start: 'x', title: 'Two' }, { start: 4 }, null])
  assert.deepEqual(readChapters(text), [{ start: 0, title: 'One' }])
  for (const nothing of [null, '', '{', '{}', 'null']) assert.deepEqual(readChapters(nothing), [])
})

test('each chapter ends where the next begins, where it says, or with the film', () => {
  const chapters = fitChapters(
    [
      { start: 20, title: 'Three' },
      { start: 0, end: 4, title: 'One' },
      { start: 10, end: 99, title: 'Two' },
      { start: 40, title: 'After the end' },
    ],
    30,
  )
  assert.deepEqual(
    chapters.map(({ start, end, title }) => [start, end, title]),
    [
      [0, 4, 'One'],
      [10, 20, 'Two'],
      [20, 30, 'Three'],
    ],
  )
  assert.equal(chapterAt(chapters, 3.9)?.title, 'One')
  assert.equal(chapterAt(chapters, 4), undefined)
  assert.equal(chapterAt(chapters, 20)?.title, 'Three')
})

test('of two chapters that begin together the last one is kept, and without a length there are none', () => {
  const twice = [
    { start: 5, title: 'First' },
    { start: 5, title: 'Second' },
  ]
  assert.deepEqual(
    fitChapters(twice, 10).map(({ title }) => title),
    ['Second'],
  )
  assert.deepEqual(fitChapters(twice, Number.NaN), [])
})
