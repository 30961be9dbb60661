import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportFailed, ImportRefused } from './import-error.js'
import { fileNameOf, rangeHeaders, readAnswer } from './read-answer.js'

const nothing = { offset: 0, validator: null }
const half = { offset: 500, validator: '"one"' }

test('a whole film says how long it is, and what its bytes are called', () => {
  const headers = { 'content-length': '1000', etag: '"one"' }
  assert.deepEqual(readAnswer(200, headers, nothing), {
    from: 0,
    total: 1000,
    validator: '"one"',
    fileName: undefined,
  })
  assert.equal(readAnswer(200, {}, half)?.from, 0)
  assert.equal(readAnswer(200, { 'content-length': 'many' }, nothing)?.total, null)
})

test('only a strong name for the bytes is good enough to continue them', () => {
  const named = (headers: Record<string, string>) => readAnswer(200, headers, nothing)?.validator
  const modified = 'Sun, 15 Nov 2026 10:00:00 GMT'
  assert.equal(named({ etag: 'W/"one"' }), null)
  assert.equal(named({ etag: 'W/"one"', 'last-modified': modified }), null)
  assert.equal(named({ 'last-modified': modified, date: 'Sun, 15 Nov 2026 10:00:59 GMT' }), null)
  assert.equal(named({ 'last-modified': modified, date: 'Sun, 15 Nov 2026 10:01:00 GMT' }), modified)
  assert.equal(named({ 'last-modified': 'long ago', date: modified }), null)
  assert.deepEqual(rangeHeaders(half), { range: 'bytes=500-', 'if-range': '"one"' })
  assert.deepEqual(rangeHeaders({ offset: 500, validator: null }), {})
  assert.deepEqual(rangeHeaders(nothing), {})
})

test('the rest of a film continues it; the rest of another, or of what was not asked for, does not', () => {
  const rest = { 'content-range': 'bytes 500-999/1000', etag: '"one"' }
  assert.deepEqual(readAnswer(206, rest, half), {
    from: 500,
    total: 1000,
    validator: '"one"',
    fileName: undefined,
  })
  assert.equal(readAnswer(206, { 'content-range': 'bytes 500-999/*' }, half)?.total, null)
  for (const headers of [
    { ...rest, etag: '"two"' },
    { ...rest, 'content-range': 'bytes 400-999/1000' },
    { ...rest, 'content-range': 'nonsense' },
    {},
  ])
    assert.throws(
      () => readAnswer(206, headers, half),
      (error) => error instanceof ImportFailed && error.beginsAnew,
    )
  assert.throws(() => readAnswer(206, rest, nothing), ImportFailed)
})

test('nothing behind what has arrived is the end of the film, or another film', () => {
  assert.equal(readAnswer(416, { 'content-range': 'bytes */500' }, half), undefined)
  assert.throws(() => readAnswer(416, { 'content-range': 'bytes */400' }, half), ImportFailed)
  assert.throws(() => readAnswer(416, {}, nothing), ImportRefused)
})

test('a server that is busy says how long to leave it alone, an hour at most', () => {
  const waitAfter = (value: string) => {
    try {
      readAnswer(429, { 'retry-after': value }, nothing)
    } catch (error) {
      return error instanceof ImportFailed ? error.waitSeconds : undefined
    }
    return undefined
  }
  assert.deepEqual(['7', '0', '999999999', '-5', 'soon', ''].map(waitAfter), [7, 0, 3600, 0, 0, 0])
  assert.ok((waitAfter(new Date(Date.now() + 30_000).toUTCString()) ?? 0) > 20)
  assert.equal(waitAfter('Sun, 15 Nov 2020 10:00:00 GMT'), 0)
})

test('the file name sent with the film is cleaned in every encoding', () => {
  const named = (value: string) => readAnswer(200, { 'content-disposition': value }, nothing)?.fileName
  assert.equal(named('attachment; filename="The Horse.mp4"'), 'The Horse.mp4')
  assert.equal(named('attachment; filename=horse.mp4; size=3'), 'horse.mp4')
  assert.equal(named(`attachment; filename="x.mp4"; filename*=UTF-8''%E2%82%AC%20horse.mp4`), '€ horse.mp4')
  assert.equal(named('attachment; filename="../../etc/passwd"'), 'passwd')
  assert.equal(named('attachment; filename="C:\\\\films\\\\horse.mp4"'), 'horse.mp4')
  assert.equal(named('attachment; filename="a \\"b\\".mp4"'), 'a "b".mp4')
  assert.equal(named('attachment; filename="a\u202egpm.exe"'), 'a gpm.exe')
  assert.equal(named('inline'), undefined)
})

test('an address ends with the name of its file', () => {
  assert.equal(
    fileNameOf('https://films.example/a/The%20Horse%20in%20Motion.mp4?token=x#t=1'),
    'The Horse in Motion.mp4',
  )
  assert.equal(fileNameOf('https://films.example/a%2Fb/'), 'b')
  assert.equal(fileNameOf('https://films.example/100%.mp4'), '100%.mp4')
  assert.equal(fileNameOf('https://films.example'), '')
  assert.equal(fileNameOf('https://films.example/%00%0d%0aevil.mp4'), 'evil.mp4')
})
