import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cloneDatabase } from '../../../../test/support/database.js'
import { gate } from '../../../../test/support/gate.js'
import { until } from '../../../../test/support/patience.js'
import { urlOf } from '../../../../test/support/postgres.js'
import { runSources } from '../../../../test/support/run-sources.js'
import { type Database, openDatabase } from '../db/database.js'
import { enqueue } from './enqueue.js'
import type { Job } from './job.js'
import { startWorker, type Worker, type WorkerOptions } from './worker.js'

const rhythm = { beatMs: 50, silenceMs: 500 }
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

const open: Worker[] = []
function work(
  job: Job<unknown>,
  judges: Pick<WorkerOptions<undefined>, 'isMishap' | 'outageOf'> = {},
): Worker {
  const connectionUrl = urlOf(clone.connection)
  const jobs = [job as Job<unknown, undefined>]
  const worker = startWorker({
    connectionUrl,
    jobs,
    context: undefined,
    concurrency: 1,
    rhythm,
    ...judges,
    onError: () => {},
  })
  open.push(worker)
  return worker
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((worker) => worker.stop()))
  await database.db`delete from graphile_worker._private_jobs`
})

test('a job whose worker is killed with SIGKILL is soon done by another', async () => {
  const done = gate()
  const linger: Job<unknown> = { name: 'linger', attempts: 1, run: async () => done.open() }
  await enqueue(database.db, linger, {})
  const script = fileURLToPath(new URL('../../../../test/support/lingering-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [...runSources, script, urlOf(clone.connection)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  work(linger)
  const [held] = await database.db`select from graphile_worker.jobs where locked_at is not null`
  assert.ok(held, 'a living worker keeps its job')
  child.kill('SIGKILL')
  await done.passed
})

test('a failure that the job did not cause uses no attempt', async () => {
  const done = gate()
  let runs = 0
  const unlucky: Job<unknown> = {
    name: 'unlucky',
    attempts: 1,
    async run() {
      runs += 1
      if (runs < 3) throw new Error('killed from outside')
      done.open()
    },
  }
  await enqueue(database.db, unlucky, {})
  work(unlucky, { isMishap: (error) => error instanceof Error && error.message === 'killed from outside' })
  await done.passed
  assert.equal(runs, 3)
})

test('a job is given up after many mishaps, but never because of an outage', async () => {
  const { db } = database
  const attemptsAfter = async (name: string, outage?: string) => {
    const away: Job<unknown> = { name, attempts: 100, run: () => Promise.reject(new Error('It is away.')) }
    await enqueue(db, away, {}, { key: name })
    await db`update graphile_worker._private_jobs set attempts = 99 where key = ${`${name}:${name}`}`
    work(away, { isMishap: () => true, outageOf: () => outage })
    return until('The failed attempt', async () => {
      const [job] = await db<{ max_attempts: number }[]>`
        select max_attempts from graphile_worker.jobs
        where task_identifier = ${name} and attempts = 100 and locked_at is null and run_at < now() + interval '61 seconds'
          and run_at > now()
      `
      return job?.max_attempts
    })
  }
  assert.equal(await attemptsAfter('mishap'), 100)
  assert.equal(await attemptsAfter('outage', 'media storage'), 101)
})

test("a worker that only seemed dead neither loses its new jobs nor ends another's", async () => {
  const seen: number[] = []
  const [begun, taken, release, finished] = [gate(), gate(), gate(), gate()]
  const chain = (who: string): Job<unknown> => ({
    name: 'chain',
    attempts: 3,
    async run(payload) {
      const { step } = payload as { step: number }
      if (who === 'first' && step === 0) {
        begun.open()
        await release.passed
      }
      if (who === 'second') taken.open()
      seen.push(step)
      if (step === 2) finished.open()
      else await enqueue(database.db, chain(who), { step: step + 1 }, { key: 'one' })
    },
  })
  await enqueue(database.db, chain('first'), { step: 0 }, { key: 'one' })
  const first = work(chain('first'))
  await begun.passed
  // Its row is removed until the job is free, as if its heartbeat had come too late.
  const [before] = await database.db<{ id: string }[]>`select id from graphile_worker.jobs`
  await database.db`update workers set runners = '{}' where _id = ${first.id}`
  await database.db`
    create function forget() returns trigger language plpgsql as $$
    begin new.runners = '{}'; return new; end $$`
  await database.db`create trigger forget before update on workers for each row execute function forget()`
  work(chain('second'))
  await taken.passed
  await database.db`drop function forget cascade`
  release.open()
  await finished.passed
  await delay(200)
  const rows = await database.db<{ id: string }[]>`select id from graphile_worker.jobs`
  assert.ok(before)
  assert.ok(!rows.some(({ id }) => id === before.id))
  assert.deepEqual(new Set(seen), new Set([0, 1, 2]))
})

test('a stopped worker puts its job back at once, without using an attempt', async () => {
  const begun = gate()
  const stop = new AbortController()
  const job: Job<unknown> = {
    name: 'interrupted',
    attempts: 1,
    async run() {
      begun.open()
      await delay(60_000, undefined, { signal: stop.signal })
    },
  }
  await enqueue(database.db, job, {})
  const worker = work(job)
  await begun.passed
  const stopping = worker.stop()
  stop.abort()
  await stopping
  open.splice(0)
  const [row] = await database.db`
    select attempts, locked_at, run_at <= now() as due from graphile_worker.jobs
  `
  assert.deepEqual({ ...row }, { attempts: 0, locked_at: null, due: true })
  assert.deepEqual([...(await database.db`select from workers where _id = ${worker.id}`)], [])
})

test('a worker whose connections are cut while it completes a job recovers and does the rest', async () => {
  const runs: string[] = []
  const finished = gate()
  const job: Job<unknown> = {
    name: 'cut',
    attempts: 5,
    async run() {
      runs.push('run')
      if (runs.length === 1)
        await database.db`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name not like 'zoetrope%'
        `
      else finished.open()
    },
  }
  // Completing the first run fails, as it does while the database is unreachable.
  await database.db`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'not now'; end $$`
  await database.db`create trigger refuse before delete on graphile_worker._private_jobs for each row execute function refuse()`
  await enqueue(database.db, job, {})
  work(job)
  while (runs.length === 0) await delay(20)
  await delay(300)
  await database.db`drop function refuse cascade`
  await finished.passed
})

test('a job that failed because the database was unreachable is soon retried without using an attempt', async () => {
  const done = gate()
  let runs = 0
  const job: Job<unknown> = {
    name: 'away',
    attempts: 1,
    async run() {
      runs += 1
      if (runs === 1) await database.db`select pg_terminate_backend(pg_backend_pid())`
      done.open()
    },
  }
  await enqueue(database.db, job, {})
  work(job)
  await done.passed
  assert.equal(runs, 2)
})
