import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/support/patience.js'
import type { Principal } from '../auth/principals.js'
import { type KeptAnswer, keepAnswers } from './answers.js'

const principal = { kind: 'admin', siteId: 'a' } as unknown as Principal
const answerAt = (version: number): KeptAnswer => ({
  body: `version ${version}`,
  type: 'application/json',
  etag: `"${version}"`,
  notice: undefined,
  list: 'videos',
  version,
  presented: { credential: undefined } as unknown as KeptAnswer['presented'],
  principal,
  isCompressible: false,
})
const atLeast = (version: number) => (answer: KeptAnswer) => answer.version >= version

/** A list whose version the test changes. A reading sees the version at which it begins, and ends when told. */
function openList() {
  const answers = keepAnswers(1e6)
  const readings: (() => void)[] = []
  const list = { version: 1, reads: 0, isBroken: false }
  const ask = () =>
    answers.renew('/videos', atLeast(list.version), async () => {
      const { version, isBroken } = list
      list.reads += 1
      await new Promise<void>((resolve) => readings.push(resolve))
      if (isBroken) throw new Error('The database is away.')
      return answerAt(version)
    })
  const endReadings = async () => {
    for (const end of readings.splice(0)) end()
    await new Promise(setImmediate)
  }
  return { list, ask, endReadings }
}

test('of many who ask at once, one reads', async () => {
  const { list, ask, endReadings } = openList()
  const asked = Array.from({ length: 50 }, ask)
  await endReadings()
  const versions = (await Promise.all(asked)).map(({ version }) => version)
  assert.deepEqual(versions, Array(50).fill(1))
  assert.equal(list.reads, 1)
  const again = ask()
  await endReadings()
  await again
  assert.equal(list.reads, 2, 'an answer is shared only while it is read')
})

test('who asks after a write gets no answer from before it, and one reads for all of them', async () => {
  const { list, ask, endReadings } = openList()
  const before = ask()
  list.version = 2
  const after = Array.from({ length: 50 }, ask)
  await endReadings()
  assert.equal((await before).version, 1)
  await endReadings()
  const versions = (await Promise.all(after)).map(({ version }) => version)
  assert.deepEqual(versions, Array(50).fill(2))
  assert.equal(list.reads, 2)
})

test('nobody waits for long for the reading of another', async () => {
  const { list, ask, endReadings } = openList()
  const slow = ask()
  const other = ask()
  await until('A reading of its own', () => list.reads === 2)
  await endReadings()
  await Promise.all([slow, other])
})

test('a reading that fails is the failure of one only', async () => {
  const { list, ask, endReadings } = openList()
  list.isBroken = true
  const first = assert.rejects(ask(), /away/)
  list.isBroken = false
  const others = Array.from({ length: 3 }, ask)
  await endReadings()
  await first
  await endReadings()
  assert.equal((await Promise.all(others)).length, 3)
  assert.equal(list.reads, 2)
})
