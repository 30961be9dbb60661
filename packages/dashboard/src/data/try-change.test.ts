import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { tryChange } from './try-change.js'
import { withKnownProgress } from './video-progress.js'

interface Film {
  readonly active: boolean
  readonly progress: number
}
const queryKey = ['film']

function opened(film: Film) {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, film)
  return { queries, now: () => queries.getQueryData<Film>(queryKey) }
}

test('a refused change is taken back without what has changed since', () => {
  const { queries, now } = opened({ active: false, progress: 10 })
  const takeBack = tryChange<Film>(queries, queryKey, { active: true })
  assert.deepEqual(now(), { active: true, progress: 10 })
  queries.setQueryData<Film>(queryKey, (film) => film && { ...film, progress: 60 })
  takeBack()
  assert.deepEqual(now(), { active: false, progress: 60 })
})

test('a refused change leaves a newer change of the same field alone', () => {
  const { queries, now } = opened({ active: false, progress: 10 })
  const takeBack = tryChange<Film>(queries, queryKey, { progress: 20 })
  queries.setQueryData<Film>(queryKey, { active: true, progress: 30 })
  takeBack()
  assert.deepEqual(now(), { active: true, progress: 30 })
  queries.removeQueries({ queryKey })
  takeBack()
  assert.equal(now(), undefined)
})

const made = (progress: number, { status = 'processing', film = 'a' } = {}) => ({
  title: 'Film',
  data_sources: [{ _id: film, active: true }],
  renditions: [{ name: 'hls_720p', status, progress }],
})
const progressOf = (known: object | undefined, record: object) =>
  withKnownProgress(known as never, record as never as { renditions: never; data_sources: never })
    .renditions as unknown as { progress: number }[]

test('a record that was saved meanwhile does not make the progress fall', () => {
  assert.deepEqual(progressOf(made(59), made(50))[0]?.progress, 59)
  assert.deepEqual(progressOf(made(59), made(70))[0]?.progress, 70)
  assert.deepEqual(progressOf(undefined, made(50))[0]?.progress, 50)
})

test('another film, and a format that failed, begin anew', () => {
  assert.deepEqual(progressOf(made(59), made(0, { film: 'b' }))[0]?.progress, 0)
  assert.deepEqual(progressOf(made(59, { status: 'failed' }), made(0))[0]?.progress, 0)
  assert.deepEqual(progressOf(made(59), made(30, { status: 'failed' }))[0]?.progress, 30)
})
