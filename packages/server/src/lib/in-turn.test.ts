import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTurns } from './in-turn.js'

const full = () => new Error('full')

test('work of one name runs a few at a time, in order of arrival, and all of it runs', async () => {
  const inTurn = createTurns(2, 100, full)
  let running = 0
  let most = 0
  const order: number[] = []

  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      inTurn('a', async () => {
        running += 1
        most = Math.max(most, running)
        order.push(index)
        await delay(1)
        running -= 1
      }),
    ),
  )

  assert.equal(most, 2)
  assert.deepEqual(
    order,
    Array.from({ length: 20 }, (_, index) => index),
  )
})

test('different names do not wait for each other', async () => {
  const inTurn = createTurns(1, 100, full)
  const endless = inTurn('a', () => delay(50, 'late'))

  assert.equal(await inTurn('b', async () => 'soon'), 'soon')
  assert.equal(await endless, 'late')
})

test('failed work passes its turn to the next', async () => {
  const inTurn = createTurns(1, 100, full)
  const failing = inTurn('a', async () => {
    await delay(1)
    throw new Error('broken')
  })
  const next = inTurn('a', async () => 'done')

  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'done')
})

test('work is refused when the line is too long', async () => {
  const inTurn = createTurns(1, 1, full)
  const working = [inTurn('a', () => delay(5)), inTurn('a', () => delay(5))]

  await assert.rejects(
    inTurn('a', async () => {}),
    /full/,
  )
  await Promise.all(working)
  await inTurn('a', async () => {})
})
