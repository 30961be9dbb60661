/** Behind PgBouncer, the server works in session mode. In other modes it says why it does not start. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@zoetrope/sdk'
import postgres from 'postgres'
import { checkServer } from '../../packages/server/src/db/check-server.js'
import { openDatabase } from '../../packages/server/src/db/database.js'
import { cloneDatabase } from '../support/database.js'
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '../support/pgbouncer.js'
import { makeGround, readCredentials, runCommand, startServer } from '../support/server-process.js'

const ignored = 'ignore_startup_parameters = statement_timeout, plan_cache_mode, options'

describe('PgBouncer', { skip: withoutPgBouncer }, () => {
  let ground: Awaited<ReturnType<typeof makeGround>>
  let clone: Awaited<ReturnType<typeof cloneDatabase>>
  let pooler: PgBouncer
  before(async () => {
    ground = await makeGround()
    clone = await cloneDatabase()
    const names = {
      one: 'pool_mode=transaction pool_size=1',
      few: 'pool_mode=transaction pool_size=4',
      statements: 'pool_mode=statement pool_size=4',
      sessions: 'pool_mode=session pool_size=60',
    }
    pooler = await startPgBouncer(clone.connection, names, [ignored])
  })
  after(async () => {
    await pooler.stop()
    await clone.drop()
    await ground.remove()
  })

  const refusal = (DATABASE_URL: string) => runCommand(['start'], { ...ground.env, DATABASE_URL })
  const shared =
    /^DATABASE_URL leads to a connection pooler that shares sessions.* set pool_mode = session in PgBouncer\.$/

  /** Runs the check of a pooler's database that precedes its use. */
  async function judge(name: string): Promise<void> {
    const database = openDatabase({ connection: pooler.url(name), connections: 2 })
    await checkServer(database, pooler.url(name)).finally(() => database.close())
  }

  for (const name of ['one', 'few', 'statements'])
    test(`sessions that are shared are noticed while the pooler is idle (${name})`, () =>
      assert.rejects(judge(name), { message: shared }))

  test('they are noticed while others keep the pooler busy', async () => {
    const others = Array.from({ length: 4 }, () =>
      postgres(pooler.url('few'), { max: 1, prepare: false, fetch_types: false, onnotice: () => {} }),
    )
    let isBusy = true
    const working = others.map(async (sql) => {
      while (isBusy) await sql`select pg_sleep(0.005)`
    })
    await assert.rejects(judge('few'), { message: shared })
    isBusy = false
    await Promise.all(working)
    await Promise.all(others.map((sql) => sql.end()))
  })

  test('the server says so and does not start', async () => {
    const { code, stderr } = await refusal(pooler.url('few'))

    assert.equal(code, 1)
    assert.match(stderr.trimEnd(), shared)
  })

  test('a PgBouncer as Debian sets it up is refused with the settings it needs', async () => {
    const plain = await startPgBouncer(clone.connection, { zoetrope: '' }, [])
    const { code, stderr } = await refusal(plain.url('zoetrope'))
    await plain.stop()

    assert.equal(code, 1)
    assert.match(stderr, /^PostgreSQL refused to accept the connection: unsupported startup parameter/)
    assert.ok(stderr.includes('pool_mode = session') && stderr.includes(ignored), stderr)
    assert.equal(stderr.trimEnd().split('\n').length, 1)
  })

  test('with sessions of its own the server works', async () => {
    const SECRET_KEY = 'k'.repeat(40)
    const server = await startServer({
      ...ground.env,
      DATABASE_URL: pooler.url('sessions'),
      SECRET_KEY,
      WORKERS: '0',
    })
    const { keys } = await readCredentials(ground.env)
    const { videos } = createClient({ url: server.url, apiKey: keys.admin })
    const titles = Array.from({ length: 20 }, (_, number) => `Film ${number}`)

    await Promise.all(titles.map((title) => videos.create({ title })))
    const lists = await Promise.all(titles.map((title) => videos.list({ title })))
    await server.stop()

    assert.deepEqual(
      lists.map(({ response }) => response.map(({ title }) => title)),
      titles.map((title) => [title]),
    )
  })
})
