/**
 * Loses a connection inside a transaction of the bare driver and goes on: `late-write-process.ts <connection>`. Prints
 * `survived` at the end.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { isLateWrite, longGreeting } from '../../packages/server/src/db/late-write.js'

let late = 0
process.on('uncaughtException', (error) => {
  if (!isLateWrite(error)) throw error
  late += 1
})
const database = postgres({
  ...JSON.parse(process.argv[2] ?? ''),
  max: 2,
  onnotice: () => {},
  connection: { options: longGreeting },
})
const transaction = database.begin(async (tx) => {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  await database`select pg_terminate_backend(${row?.pid ?? 0})`
  await delay(200)
  await tx`select 1`
})
await assert.rejects(transaction)
await delay(500)
const answers = await Promise.allSettled(Array.from({ length: 40 }, () => database`select 1 as one`))
const again = await Promise.all(Array.from({ length: 40 }, () => database`select 1 as one`))
assert.equal(again.length, 40)
console.log(`survived ${late} ${answers.filter(({ status }) => status === 'rejected').length}`)
await database.end()
