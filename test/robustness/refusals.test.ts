/** A failed start reports all its problems at once, one sentence each, with exit code 1. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { readConfig, StartError } from '../../packages/server/src/config/config.js'
import { joinPlatform } from '../../packages/server/src/platform.js'
import { cloneDatabase } from '../support/database.js'
import { createEmptyDatabase } from '../support/empty-database.js'
import {
  freePort,
  makeGround,
  type RunningServer,
  runCommand,
  startServer,
} from '../support/server-process.js'
import { openDoor } from '../support/tcp-door.js'

const [mount, umount] = ['/usr/bin/mount', '/usr/bin/umount'] as const

let ground: Awaited<ReturnType<typeof makeGround>>
before(async () => {
  ground = await makeGround()
})
after(() => ground.remove())

/** Returns the lines that a failed start prints. */
async function refusal(env: Record<string, string>): Promise<{ code: number | null; said: string[] }> {
  const { code, stderr } = await runCommand(['start'], { ...ground.env, ...env })
  return { code, said: stderr.trimEnd().split('\n') }
}

/** Mounts an in-memory file system. Returns why that is not possible here, if so. */
function mountMemory(folder: string, options: string): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may mount'
  try {
    execFileSync(mount, ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `mounting is not possible here: ${(error as Error).message}`
  }
}

test('a taken port is refused by name', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }

  const { code, said } = await refusal({ PORT: String(port) })

  other.close()
  assert.deepEqual(said, [
    `Port ${port} is taken by another program. Stop that one, or set PORT to another number.`,
  ])
  assert.equal(code, 1)
})

test('all wrong settings are reported at once, with the taken folder', async () => {
  const file = join(ground.folder, 'a-file')
  await writeFile(file, '')

  const { code, said } = await refusal({
    PORT: '99999',
    DATABASE_CONNECTIONS: 'many',
    API_URL: 'example.com',
    SECRET_KEY: 'short',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
    CACHE_MB: '-1',
    DATABASE_URL: 'mysql://x',
    DATA_DIR: file,
  })

  assert.equal(code, 1)
  const names = [
    'PORT',
    'API_URL',
    'SECRET_KEY',
    'DATABASE_URL',
    'DATABASE_CONNECTIONS',
    'LOG_LEVEL',
    'LOG_FORMAT',
    'CACHE_MB',
  ]
  for (const name of names)
    assert.ok(
      said.some((line) => line.startsWith(`${name} must be`)),
      name,
    )
  assert.ok(
    said.some((line) => line.includes(`The folder ${file} `)),
    said.join('\n'),
  )
  assert.equal(said.length, names.length + 1)
})

test('a file in place of the folder, or of one above it, is refused', async () => {
  const file = join(ground.folder, 'another-file')
  await writeFile(file, '')
  for (const DATA_DIR of [file, join(file, 'data')]) {
    const { code, said } = await refusal({ DATA_DIR })
    assert.equal(code, 1)
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /^The folder .* (is a file|has a file)/)
  }
})

test('a folder that cannot be written is refused', async (context) => {
  const folder = join(ground.folder, 'unwritable')
  await mkdir(folder)
  // Root can write anywhere except on a read-only disk.
  const isRoot = process.getuid?.() === 0
  const obstacle = isRoot ? mountMemory(folder, 'ro,size=1m') : undefined
  if (obstacle) return context.skip(obstacle)
  if (!isRoot) await chmod(folder, 0o500)

  const { code, said } = await refusal({ DATA_DIR: folder })

  if (isRoot) execFileSync(umount, [folder])
  assert.equal(code, 1)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /read-only|cannot be written/)
})

test('a full disk is refused', async (context) => {
  const folder = join(ground.folder, 'full')
  await mkdir(folder)
  const obstacle = mountMemory(folder, 'size=4m')
  if (obstacle) return context.skip(obstacle)
  const spacious = await refusal({ DATA_DIR: join(folder, 'data') })
  await writeFile(join(folder, 'ballast'), Buffer.alloc(8_000_000)).catch(() => {})
  const full = await refusal({ DATA_DIR: join(folder, 'data') })

  execFileSync(umount, [folder])
  for (const { code, said } of [spacious, full]) {
    assert.equal(code, 1)
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /full/)
  }
})

test('a database that is not there, or not this one, is refused in one sentence', async () => {
  const { connection, drop } = await cloneDatabase()
  const door = await openDoor(connection)
  const urls = {
    unreachable: `postgres://nobody@127.0.0.1:${await freePort()}/nothing`,
    unknown: 'postgres://nobody@zoetrope.invalid/nothing',
    missing: door.url.replace(connection.database, 'no_such_database'),
  }
  for (const [kind, DATABASE_URL] of Object.entries(urls)) {
    const { code, said } = await refusal({ DATABASE_URL })
    assert.equal(code, 1, kind)
    assert.equal(said.length, 1, said.join('\n'))
    assert.match(said[0] ?? '', /DATABASE_URL/, kind)
  }
  await door.close()
  await drop()
})

test('errors of PostgreSQL are reported in one sentence, with the step and the remedy', async () => {
  const { connection: server, drop } = await cloneDatabase()
  const { connection, drop: dropOwn } = await createEmptyDatabase(server)
  const door = await openDoor(connection)
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} })
  const refused = async (DATABASE_URL = door.url) => {
    const { config } = readConfig({ ...ground.env, DATABASE_URL, SECRET_KEY: 'k'.repeat(40) })
    const error = await joinPlatform(config).catch((reason: unknown) => reason)
    assert.ok(error instanceof StartError, String(error))
    return error.message
  }
  const guest = `guest_${connection.database}`
  await sql.unsafe(`create role ${guest} login`)
  const asGuest = door.url.replace(connection.username, guest)
  const withoutRight = await refused(asGuest)
  await sql`create table channels ()`
  const inTheWay = await refused()
  await sql`drop table channels`
  await sql.unsafe(`alter database ${connection.database} set default_transaction_read_only = on`)
  const readOnly = await refused()
  await sql.unsafe(`alter database ${connection.database} reset default_transaction_read_only`)
  // A server that reports an older version than its own.
  await sql`create function current_setting(text) returns text return case when $1 like '%num' then '140023' else '14.23' end`
  await sql.unsafe(`alter database ${connection.database} set search_path = public, pg_catalog`)
  const old = await refused()
  await sql.end()
  await door.close()
  await dropOwn()
  const cleaning = postgres({ ...server, max: 1 })
  await cleaning.unsafe(`drop role ${guest}`)
  await cleaning.end()
  await drop()

  assert.match(
    withoutRight,
    /^PostgreSQL refused to look at the migrations: permission denied .* \(SQLSTATE 42501\)\. Give the user of DATABASE_URL this right\.$/,
  )
  assert.match(
    inTheWay,
    /^The database of DATABASE_URL has tables of another program \(such as channels\), so nothing was made in it\. /,
  )
  assert.match(readOnly, /\(SQLSTATE 25006\)\. Let DATABASE_URL name the primary server/)
  assert.match(old, /^DATABASE_URL leads to PostgreSQL 14\.23, and Zoetrope needs 15 or newer\. /)
})

let running: RunningServer
let databaseUrl: string
let closeDatabase = async () => {}
test('DATABASE_URL is used instead of an own PostgreSQL', async () => {
  const { connection, drop } = await cloneDatabase()
  const door = await openDoor(connection)
  closeDatabase = async () => {
    await door.close()
    await drop()
  }
  databaseUrl = door.url
  running = await startServer({
    ...ground.env,
    ...{ DATABASE_URL: databaseUrl, SECRET_KEY: 'k'.repeat(40), WORKERS: '0' },
  })

  assert.match(running.output().stdout, /database: DATABASE_URL/)
  assert.equal((await fetch(`${running.url}/readyz`)).status, 200)
})

test('a second server on the same folder is refused and the first goes on', async () => {
  const { code, said } = await refusal({ PORT: await freePort() })

  assert.equal(code, 1)
  assert.deepEqual(said, [
    `Another Zoetrope (pid ${running.pid}) is already using the folder ${ground.env.DATA_DIR}. Stop it first, or set DATA_DIR to another folder.`,
  ])
  assert.equal((await fetch(`${running.url}/healthz`)).status, 200)
})

test('another SECRET_KEY than the one the database was made with is refused', async () => {
  await running.stop()

  const { code, said } = await refusal({ DATABASE_URL: databaseUrl, SECRET_KEY: 'x'.repeat(40) })
  await closeDatabase()

  assert.equal(code, 1)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /^SECRET_KEY is not the one this database was made with/)
})

test('a new database beside a folder of films is refused until it is adopted', async () => {
  const films = await makeGround()
  const { connection: server, drop: dropServer } = await cloneDatabase()
  const { connection, drop } = await createEmptyDatabase(server)
  const door = await openDoor(connection)
  const film = join(films.env.DATA_DIR, 'media/objects/sources', 'a'.repeat(24), 'source')
  await mkdir(dirname(film), { recursive: true })
  await writeFile(film, 'a film')
  const env = { ...films.env, DATABASE_URL: door.url, SECRET_KEY: 'k'.repeat(40) }

  const { code, stderr } = await runCommand(['start'], env)
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^The folder .*media holds films, but the database is new and knows none of them\. .*\n$/,
  )
  assert.match(stderr, /DATABASE_URL, .* run `zoetrope adopt` once; it removes nothing\.\n$/)
  const sql = postgres({ ...connection, max: 1 })
  const [{ tables } = { tables: undefined }] = await sql`select count(*)::int as tables from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  await sql.end()
  assert.equal(tables, 0, 'a refused start makes nothing in the database')
  const sweep = await runCommand(['storage', 'sweep', '--confirm'], env)
  assert.match(sweep.stderr, /^Nothing shows that the films in the media storage are those of the database/)

  const adopted = await runCommand(['adopt'], env)
  assert.match(adopted.stdout, /^The media storage belongs to this database now\.\n/)
  const adopting = await startServer({ ...env, WORKERS: '0' })
  assert.equal(await readFile(film, 'utf8'), 'a film')
  await adopting.stop()
  await door.close()
  await drop()
  await dropServer()
  await films.remove()
})
