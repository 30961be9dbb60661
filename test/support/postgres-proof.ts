/** What must hold on every supported version of PostgreSQL. */
import assert from 'node:assert/strict'
import { createClient, signIn } from '@zoetrope/sdk'
import { listChannels } from '../../packages/server/src/auth/channels.js'
import { listKeys } from '../../packages/server/src/auth/keys.js'
import { type Database, openDatabase } from '../../packages/server/src/db/database.js'
import { createSealer } from '../../packages/server/src/lib/sealing.js'
import { createEmptyDatabase } from './empty-database.js'
import type { Connection } from './postgres.js'
import { note } from './secrets.js'
import { makeGround, startServer } from './server-process.js'
import { openDoor } from './tcp-door.js'

const secretKey = 'the secret key of an installation on another PostgreSQL'
note(secretKey)

type Proof = (url: string, database: Database) => Promise<void>

/** The proofs by name. Each gets a PostgreSQL server. */
export const proofs: Readonly<Record<string, (server: Connection) => Promise<void>>> = {
  'a fresh installation works': async (server) => {
    const own = await createEmptyDatabase(server)
    await withServer(own.connection, async (url, database) => {
      await addColumns(database)
      await useApi(url, await adminKey(database))
    }).finally(own.drop)
  },
}

/** Runs a server on a database for the duration of the proof. */
async function withServer(connection: Connection, prove: Proof): Promise<void> {
  const ground = await makeGround()
  const door = await openDoor(connection)
  const database = openDatabase({ connection, connections: 1 })
  try {
    const server = await startServer({
      ...ground.env,
      DATABASE_URL: door.url,
      SECRET_KEY: secretKey,
      WORKERS: '0',
    })
    await prove(server.url, database).finally(server.stop)
  } finally {
    await database.close()
    await door.close()
    await ground.remove()
  }
}

async function adminKey({ db }: Database): Promise<string> {
  const [channel] = await listChannels(db)
  const keys = await listKeys(db, createSealer(secretKey), channel?._id ?? '')
  const { key = '' } = keys.find(({ kind }) => kind === 'admin') ?? {}
  note(key)
  return key
}

const undone = new Error('undone')

/** Later migrations add columns with defaults, which PostgreSQL rejects under some circumstances. */
async function addColumns({ db, transaction }: Database): Promise<void> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition
  `
  await transaction(async (tx) => {
    for (const { name } of tables)
      await tx`alter table ${tx(name)} add column probe integer not null default 1`
    throw undone
  }).catch((error: unknown) => assert.equal(error, undone))
}

/** Creates, lists, counts, filters, searches, reads versions and signs in. */
async function useApi(url: string, apiKey: string): Promise<void> {
  const { videos, apps, consumers, video_versions } = createClient({ url, apiKey })
  const before = (await videos.list({ per_page: 1 })).pagination.pages
  const made = await videos.create({ title: 'Zoopraxiscope', keywords: ['disc'], genre: 'Invention' })
  await videos.create({ title: 'Praxinoscope', genre: 'Invention' })
  const changed = await videos.update(made._id, { description: 'It projects.' })
  assert.equal(changed.description, 'It projects.')
  assert.equal((await videos.list({ per_page: 1 })).pagination.pages, before + 2)
  for (const query of [{ title: 'Zoopraxiscope' }, { q: 'zoopraxi' }, { q: 'disc' }])
    assert.deepEqual(
      (await videos.list(query)).response.map(({ _id }) => _id),
      [made._id],
    )
  assert.equal((await videos.list({ genre: 'Invention' })).response.length, 2)
  assert.equal((await video_versions.list(made._id)).response.length, 2)

  const app = await apps.create({ title: 'App' })
  const viewer = { email: 'another.viewer@example.com', password: 'a password of another viewer' }
  note(viewer.password)
  const { _id } = await consumers.create(viewer)
  const { access_token } = await signIn({
    url,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    username: viewer.email,
    password: viewer.password,
  })
  const own = createClient({ url, accessToken: access_token })
  assert.equal((await own.consumers.get(_id)).email, viewer.email)
  assert.equal((await own.videos.list({ genre: 'Invention' })).response.length, 2)
}
