import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { runSources } from '../../../../../test/support/run-sources.js'
import { openCluster } from './cluster.js'
import type { Connection } from './connection.js'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.js'
import { readPostmasterFile } from './postmaster-file.js'
import { runsPostgresIn } from './processes.js'

const asRoot = process.getuid?.() === 0
let root: string
/** The cluster of all tests that leave one behind as they found it. To make one takes longer than most of them. */
let folder: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'zoetrope-pg-'))
  folder = join(root, 'usual', 'postgres')
  await chmod(root, 0o755)
})
after(() => rm(root, { recursive: true }))

/** Starts PostgreSQL for one test. */
async function startIn(folder: string) {
  const lines: string[] = []
  const server = await startEmbeddedPostgres({ folder, log: (line) => lines.push(line) })
  return { ...server, lines }
}

async function query(connection: Connection, text: string): Promise<postgres.Row[]> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(text)
  } finally {
    // Without a limit, the driver waits indefinitely to end a connection that the server broke.
    await sql.end({ timeout: 0 })
  }
}

async function postmasterPid(folder: string): Promise<number> {
  const running = await readPostmasterFile(folder)
  assert.ok(running)
  return running.pid
}

test('what was written is there after the next start', async () => {
  const first = await startIn(folder)
  assert.equal(first.created, true)
  await query(first.connection, 'create table notes as select 42 as answer')
  await first.stop()

  const second = await startIn(folder)
  const rows = await query(second.connection, 'select answer from notes')
  await second.stop()

  assert.equal(second.created, false)
  assert.deepEqual([...rows], [{ answer: 42 }])
})

test('only its owner can reach the socket, and text sorts the same on every machine', async () => {
  const server = await startIn(folder)
  const { mode } = await stat(server.connection.host)
  const [row] = await query(
    server.connection,
    `select current_setting('listen_addresses') as addresses, pg_encoding_to_char(encoding) as encoding,
       datlocprovider as provider, datlocale as locale from pg_database where datname = current_database()`,
  )
  await server.stop()

  assert.equal(mode & 0o777, 0o700)
  assert.deepEqual({ ...row }, { addresses: '', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' })
})

test('a PostgreSQL that is killed comes back with everything that was committed', async () => {
  const server = await startIn(folder)
  await query(server.connection, 'create table survivors as select 42 as answer')
  // A process in the middle of something outlives its parent and holds on to the memory they shared.
  const busy = query(server.connection, 'select count(*) from generate_series(1, 1e9::bigint)')
  // The driver sees the end of the connection, or its reset if something was on its way.
  const interrupted = assert.rejects(busy, { code: /^(CONNECTION_CLOSED|ECONNRESET)$/ })
  await delay(100)

  process.kill(await postmasterPid(folder), 'SIGKILL')
  await delay(50)
  while (!(await findRunningPostgres(folder))) await delay(20)
  const rows = await query(server.connection, 'select answer from survivors')
  await interrupted
  await server.stop()

  assert.deepEqual([...rows], [{ answer: 42 }])
  assert.equal(server.lines.filter((line) => /ended unexpectedly \(SIGKILL\)/.test(line)).length, 1)
})

/** A process of its own that runs PostgreSQL in the folder, says so and then does as told. */
function runServer(folder: string, then: string) {
  const source = new URL('embedded-postgres.ts', import.meta.url).href
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(source)}
    const server = await startEmbeddedPostgres({ folder: process.argv[1], log: () => {} })
    console.log('ready')
    ${then}`
  const flags = [...runSources, '--input-type=module', '-e']
  return spawn(process.execPath, [...flags, script, '--', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('after its server was killed, PostgreSQL is taken over by the next one', async () => {
  const owner = runServer(folder, 'setInterval(() => {}, 1000)')
  await once(createInterface({ input: owner.stdout }), 'line')
  const connection = await findRunningPostgres(folder)
  assert.ok(connection)
  await query(connection, 'create table orphans as select 42 as answer')
  const orphan = await postmasterPid(folder)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  assert.equal(await runsPostgresIn(orphan, folder), true)

  const server = await startIn(folder)
  const rows = await query(server.connection, 'select answer from orphans')
  await server.stop()

  assert.deepEqual([...rows], [{ answer: 42 }])
  assert.equal(await runsPostgresIn(orphan, folder), false)
})

test('a server that has stopped PostgreSQL, or crashes, ends and leaves no PostgreSQL behind', async () => {
  const [code] = await once(runServer(folder, 'await server.stop()'), 'exit')
  const [crash] = await once(runServer(folder, 'process.exit(3)'), 'exit')
  while (await findRunningPostgres(folder)) await delay(20)

  assert.deepEqual([code, crash], [0, 3])
})

test('lock files that name a process of somebody else do not prevent a start', async () => {
  const first = await startIn(folder)
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  await first.stop()
  const { uid, gid } = await stat(folder)
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  const text = [stranger.pid, ...lines.slice(1)].join('\n')
  await writeFile(join(folder, 'postmaster.pid'), text)
  await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), text)

  const second = await startIn(folder)
  const running = await findRunningPostgres(folder)
  await second.stop()
  const strangerLives = stranger.exitCode === null && stranger.signalCode === null
  stranger.kill()

  assert.deepEqual(running, second.connection)
  assert.equal(strangerLives, true)
})

test('a PostgreSQL in another container with the same folder is left alone', async () => {
  const above = join(root, 'shared')
  await mkdir(join(above, 'postgres-socket'), { recursive: true, mode: 0o700 })
  const other = createServer().listen(join(above, 'postgres-socket', '.s.PGSQL.5432'))
  await once(other, 'listening')

  await assert.rejects(startIn(join(above, 'postgres')), /^Error: Another PostgreSQL .* Stop it first/)
  other.close()
})

test('two that make the cluster at the same time end with one cluster', async () => {
  const folder = join(root, 'race', 'postgres')
  const clusters = await Promise.all([openCluster(folder), openCluster(folder)])

  const server = await startIn(folder)
  await server.stop()

  assert.deepEqual(clusters.map(({ created }) => created).sort(), [false, true])
})

test('a path too long for a socket, with spaces, a comma and a link in it, works', async () => {
  const disk = join(root, 'disk, the second')
  await mkdir(disk)
  const above = join(root, `a "long" name ${'x'.repeat(90)}`)
  await mkdir(above)
  await symlink(disk, join(above, 'link'))
  const folder = join(above, 'y'.repeat(90), 'postgres')

  for (const path of [folder, join(above, 'link', 'postgres')]) {
    const server = await startIn(path)
    assert.deepEqual(await findRunningPostgres(path), server.connection)
    await server.stop()
    await rm(server.connection.host, { recursive: true })
  }
})

test('root can keep the database below a folder that only root may enter', { skip: !asRoot }, async () => {
  const above = join(root, 'private')
  await mkdir(above, { mode: 0o700 })
  const folder = join(above, 'data', 'postgres')

  const server = await startIn(folder)
  const { uid } = await stat(folder)
  await server.stop()

  assert.notEqual(uid, 0)
})

test('a folder that holds something else is refused in a sentence that says what to do', async () => {
  const folder = join(root, 'other', 'postgres')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'holiday.jpg'), '')

  await assert.rejects(startIn(folder), /holds something else \(holiday\.jpg\): move that away/)
})

test('a database of another major version is refused before anything touches it', async () => {
  const folder = join(root, 'old', 'postgres')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'PG_VERSION'), '15\n')

  await assert.rejects(startIn(folder), /made by PostgreSQL 15, and this Zoetrope brings 18/)
})

test('nothing is found in a folder where no PostgreSQL runs', async () => {
  assert.equal(await findRunningPostgres(join(root, 'nowhere')), undefined)
})
