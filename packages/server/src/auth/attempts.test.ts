import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { tooMany } from '../errors.js'
import { forgetAttempts as forgetAttemptsJob } from '../jobs/forget-attempts.job.js'
import { createSealer } from '../lib/sealing.js'
import { type Bucket, forgetAttempts, giveBack, takeAttempt } from './attempts.js'

const sealer = createSealer('a secret key for tests only, 32 characters and more')
let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 20 })
})
after(async () => {
  await database.close()
  await drop()
})

let used = 0
const newBucket = (most: number, seconds: number): Bucket => {
  used += 1
  return { key: `bucket ${used}`, most, seconds }
}
const take = (...buckets: Bucket[]) => takeAttempt(database.db, sealer, buckets)
const takeTimes = async (times: number, ...buckets: Bucket[]) => {
  const waits: number[] = []
  while (waits.length < times) waits.push(await take(...buckets))
  return waits
}
/** Pretends that this much time has passed. */
const goOn = (seconds: number) =>
  database.db`update attempts set forgotten_at = forgotten_at - make_interval(secs => ${seconds})`

test('attempts are allowed until the bucket is full; the next waits until one is forgotten', async () => {
  const bucket = newBucket(5, 600)
  assert.deepEqual(await takeTimes(7, bucket), [0, 0, 0, 0, 0, 120, 120])
})

test('a bucket whose interval does not divide evenly still has all its places', async () => {
  for (const most of [3, 6, 7, 11]) {
    const waits = await takeTimes(most + 1, newBucket(most, 1000))
    assert.equal(waits.filter((wait) => wait === 0).length, most)
  }
})

test('failures are forgotten evenly, and never more than there were', async () => {
  const bucket = newBucket(4, 400)
  await takeTimes(4, bucket)
  await goOn(150)
  assert.deepEqual(await takeTimes(3, bucket), [0, 50, 50])
  await goOn(1000)
  assert.deepEqual(await takeTimes(5, bucket), [0, 0, 0, 0, 100])
})

test('a caller who waits as long as Retry-After says may try again', async () => {
  const bucket = newBucket(2, 2)
  await takeTimes(2, bucket)
  const wait = await take(bucket)
  assert.equal(wait, 1)
  await delay(wait * 1000)
  assert.equal(await take(bucket), 0)
})

test('repeated attempts do not make the wait longer', async () => {
  const bucket = newBucket(1, 60)
  assert.equal(await take(bucket), 0)
  await Promise.all(Array.from({ length: 200 }, () => take(bucket)))
  const wait = await take(bucket)
  assert.ok(wait > 50 && wait <= 60, `${wait} seconds`)
})

test('a full bucket leaves the other buckets untouched, and the longest wait is reported', async () => {
  const [small, large, longest] = [newBucket(1, 60), newBucket(3, 60), newBucket(1, 300)]
  assert.equal(await take(small, large), 0)
  assert.equal(await take(longest), 0)
  assert.deepEqual(await takeTimes(5, large, small), [60, 60, 60, 60, 60])
  assert.equal(await take(small, longest, large), 300)
  assert.deepEqual(await takeTimes(3, large), [0, 0, 20])
})

test('an attempt that succeeded is given back', async () => {
  const [one, two] = [newBucket(2, 60), newBucket(3, 60)]
  for (let times = 0; times < 10; times += 1) {
    assert.equal(await take(one, two), 0)
    await giveBack(database.db, sealer, [two, one])
  }
  assert.deepEqual(await takeTimes(3, one, two), [0, 0, 30])
})

test('giving back more than was taken makes no room beyond the bucket', async () => {
  const bucket = newBucket(2, 60)
  await take(bucket)
  for (let times = 0; times < 5; times += 1) await giveBack(database.db, sealer, [bucket])
  assert.deepEqual(await takeTimes(3, bucket), [0, 0, 30])
})

test('failures of a key can be forgotten at once', async () => {
  const [one, two, other] = [newBucket(1, 60), newBucket(1, 60), newBucket(1, 60)]
  await take(one, two, other)
  await forgetAttempts(database.db, sealer, [one.key, two.key])
  assert.equal(await take(one, two), 0)
  assert.equal(await take(other), 60)
})

test('parallel attempts on overlapping buckets never exceed them and never deadlock', async () => {
  const shared = Array.from({ length: 6 }, (_, index) => newBucket(20 + index, 3600))
  const pick = (index: number) => shared.filter((_, place) => ((index * 7 + 3) >> place) & 1).reverse()
  const failed: string[] = []
  const tryOnce = async (index: number) => {
    const buckets = pick(index)
    if ((await take(...buckets)) > 0) return
    if (index % 5 === 0) await giveBack(database.db, sealer, buckets)
    else failed.push(...buckets.map(({ key }) => key))
  }
  await Promise.all(Array.from({ length: 400 }, (_, index) => tryOnce(index % 50)))

  for (const { key, most, seconds } of shared) {
    const taken = failed.filter((name) => name === key).length
    const left = (await takeTimes(most + 1, { key, most, seconds })).filter((wait) => wait === 0).length
    assert.equal(taken + left, most, key)
  }
})

test('of many parallel attempts, exactly as many succeed as there are places', async () => {
  const [small, large] = [newBucket(7, 3600), newBucket(100, 3600)]
  const waits = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? take(small, large) : take(large, small))),
  )
  assert.equal(waits.filter((wait) => wait === 0).length, 7)
  assert.equal((await takeTimes(94, large)).filter((wait) => wait === 0).length, 93)
})

test('taking, giving back and forgetting the same keys in parallel does not deadlock', async () => {
  const buckets = Array.from({ length: 5 }, () => newBucket(1000, 3600))
  const turned = [...buckets].reverse()
  const keys = buckets.map(({ key }) => key)
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const own = index % 2 ? buckets : turned
      for (let times = 0; times < 5; times += 1) {
        await takeAttempt(database.db, sealer, own)
        if (index % 3 === 0) await forgetAttempts(database.db, sealer, index % 2 ? keys : [...keys].reverse())
        else await giveBack(database.db, sealer, own)
      }
    }),
  )
})

test('the database never sees the counted keys', async () => {
  const bucket = newBucket(1, 60)
  await take(bucket)
  const rows = await database.db<{ key: Buffer }[]>`select key from attempts`
  const digest = sealer.digest(`attempts ${bucket.key}`).subarray(0, 16)
  assert.ok(rows.some(({ key }) => key.equals(digest)))
  assert.ok(rows.every(({ key }) => key.length === 16))
})

test('every hour, empty buckets are deleted and the others kept', async () => {
  await database.db`delete from attempts`
  const [short, long] = [newBucket(1, 60), newBucket(1, 6000)]
  await take(short)
  await take(long)
  await goOn(100)
  await forgetAttemptsJob.run(undefined, { database } as Parameters<typeof forgetAttemptsJob.run>[1])
  const [row] = await database.db<{ count: number }[]>`select count(*)::int as count from attempts`
  assert.equal(row?.count, 1)
  assert.equal(await take(long), 5900)
})

test('the wait is given in the message and in Retry-After', () => {
  const refused = [1, 90, 91, 600].map((seconds) => tooMany(seconds))
  assert.deepEqual(
    refused.map(({ message }) => message),
    ['1 second', '90 seconds', '2 minutes', '10 minutes'].map(
      (wait) => `Too many attempts. Try again in ${wait}.`,
    ),
  )
  assert.deepEqual(
    refused.map(({ status, headers }) => [status, headers['Retry-After']]),
    [
      [429, '1'],
      [429, '90'],
      [429, '91'],
      [429, '600'],
    ],
  )
})
