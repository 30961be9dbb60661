import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createRecent } from './recent.js'

test('a value is looked up once while it is recent, and again later', async () => {
  const recent = createRecent<number>(20, 10)
  let looked = 0
  const look = async () => {
    looked += 1
    return looked
  }
  assert.deepEqual([await recent.find('a', look), await recent.find('a', look), recent.known('a')], [1, 1, 1])
  await delay(30)
  assert.equal(recent.known('a'), undefined)
  assert.equal(await recent.find('a', look), 2)
})

test('a missing value is looked up every time', async () => {
  const recent = createRecent<number>(1000, 10)
  assert.equal(await recent.find('a', async () => undefined), undefined)
  assert.equal(await recent.find('a', async () => 1), 1)
})

test('a forgotten value stays forgotten, even if a look-up was under way', async () => {
  const recent = createRecent<string>(1000, 10)
  await recent.find('a', async () => 'one')
  await recent.find('b', async () => 'two')
  recent.forget((value) => value === 'one')
  assert.deepEqual([recent.known('a'), recent.known('b')], [undefined, 'two'])

  const late = recent.find('c', async () => {
    await delay(5)
    return 'old'
  })
  recent.forget()
  assert.equal(await late, 'old')
  assert.deepEqual([recent.known('b'), recent.known('c')], [undefined, undefined])
})

test('the cache is bounded, and drops the least recently used value first', async () => {
  const recent = createRecent<number>(60_000, 3)
  await recent.find('busy', async () => 0)
  for (let index = 1; index <= 10; index += 1) {
    await recent.find(String(index), async () => index)
    assert.equal(recent.known('busy'), 0)
  }
  const known = Array.from({ length: 10 }, (_, index) => recent.known(String(index + 1))).filter(
    (value) => value !== undefined,
  )
  assert.deepEqual(known, [9, 10])
})
