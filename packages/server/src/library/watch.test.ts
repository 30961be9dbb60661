import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { gate } from '../../../../test/support/gate.js'
import { until } from '../../../../test/support/patience.js'
import { urlOf } from '../../../../test/support/postgres.js'
import { type Database, openDatabase } from '../db/database.js'
import { enqueue } from '../queue/enqueue.js'
import type { Job } from '../queue/job.js'
import { startWorker } from '../queue/worker.js'
import { openWatch, type Watch } from './watch.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
before(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 4 })
})
after(async () => {
  await database.close()
  await clone.drop()
})
afterEach(async () => {
  await database.db`delete from graphile_worker._private_jobs`
  await database.db`delete from workers`
})

const quick = { outageSeconds: 0.2, unservedSeconds: 0.2 }
const watchOver = (jobs: readonly Job<unknown>[], patience = quick): Watch =>
  openWatch({
    database,
    jobs,
    store: { look: async () => undefined, seen: () => undefined },
    disks: {},
    patience,
  })
const job = (name: string, more: Partial<Job<unknown>> = {}): Job<unknown> => ({
  name,
  attempts: 3,
  run: async () => {},
  ...more,
})

const sentencesOf = async (watch: Watch) => (await watch.look()).map(({ sentence }) => sentence)
const untilSaid = (watch: Watch, words: RegExp) =>
  until(`${words}`, async () => (await sentencesOf(watch)).find((sentence) => words.test(sentence)))

test('due jobs that nobody takes are a warning, which ends when somebody does', async () => {
  const [mail, fill] = [job('mail'), job('fill', { isBackground: true })]
  const watch = watchOver([mail, fill])
  assert.deepEqual(await watch.look(), [])
  await enqueue(database.db, mail, {})
  await enqueue(database.db, fill, {}, { inSeconds: 3600 })
  const said = await untilSaid(watch, /nobody takes them/)
  assert.match(
    said,
    /^1 job waits since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, .* No worker is running, or all of them hang\./,
  )
  assert.deepEqual(watch.seen(), await watch.look())
  const worker = startWorker({
    connectionUrl: urlOf(clone.connection),
    jobs: [mail] as Job<unknown, undefined>[],
    context: undefined,
    concurrency: 1,
    onError: () => {},
  })
  await until('The end of the warning', async () => (await watch.look()).length === 0)
  await worker.stop()
})

test('jobs behind a long one are no warning while its worker is alive, but one once it is silent', async () => {
  const { db } = database
  const prepare = job('prepare')
  const watch = watchOver([prepare])
  await enqueue(db, prepare, {}, { key: 'long' })
  await enqueue(db, prepare, {}, { key: 'next' })
  await db`insert into workers (_id, runners, makes_windows) values ('one', '{runner}', true)`
  await db`update graphile_worker._private_jobs set locked_by = 'runner', locked_at = now() where key = 'prepare:long'`
  await watch.look()
  const waited = gate()
  setTimeout(waited.open, 3 * quick.unservedSeconds * 1000)
  await waited.passed
  assert.deepEqual(await watch.look(), [])
  await db`update workers set seen_at = now() - interval '1 minute'`
  assert.match(await untilSaid(watch, /nobody takes them/), /^2 jobs wait/)
})

test('each line of jobs needs somebody, and ffmpeg if nobody has it', async () => {
  const { db } = database
  const [mail, fill] = [job('mail'), job('fill', { isBackground: true })]
  const watch = watchOver([mail, fill])
  await enqueue(db, mail, {}, { key: 'held' })
  await enqueue(db, fill, {}, { key: 'free' })
  await db`insert into workers (_id, runners, makes_windows) values ('two', '{runner}', false)`
  await db`update graphile_worker._private_jobs set locked_by = 'runner', locked_at = now() where key = 'mail:held'`
  assert.match(await untilSaid(watch, /nobody takes them/), /^1 job waits .* No worker has ffmpeg\./)
})

test('jobs that wait for the media storage are a warning after a while', async () => {
  const { db } = database
  const prepare = job('prepare')
  const patient = watchOver([prepare], { outageSeconds: 3600, unservedSeconds: 3600 })
  const watch = watchOver([prepare], { ...quick, unservedSeconds: 3600 })
  await enqueue(db, prepare, {})
  const setError = (text: string) => db`update graphile_worker._private_jobs set last_error = ${text}`
  await setError('Waiting for the database: It is away.')
  assert.deepEqual(await watch.look(), [])
  await setError('Waiting for the media storage: 500 InternalError')
  assert.match(await untilSaid(watch, /media storage/), /^Films have waited for the media storage since 20/)
  assert.deepEqual(await patient.look(), [])
})
