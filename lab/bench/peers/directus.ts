import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../packages/server/src/db/database.js'
import { freePort, startProgram } from '../../processes.js'
import { type Contender, changes, commonWord, newVideo, random, rareWord, series } from './contender.js'
import { install, run } from './install.js'
import { columns, copyInto, type videosOf } from './rows.js'

const version = '12.4.0'
/** Directus needs a newer Node than we do. */
const node = '22'
const token = 'a-token-of-this-bench-only'

export interface PeerPlace {
  readonly folder: string
  /** An empty database of its own in our PostgreSQL, and its address. */
  readonly db: Db
  readonly databaseUrl: string
  readonly rows: number
  videos(): ReturnType<typeof videosOf>
}

const types = {
  string: 'string',
  text: 'text',
  integer: 'integer',
  decimal: 'decimal',
  float: 'float',
  boolean: 'boolean',
  json: 'json',
  timestamp: 'timestamp',
} as const

/** Installs Directus and fills it. Returns how to start it with its cache on or off. */
export async function prepareDirectus({ folder, db, databaseUrl, rows, videos }: PeerPlace) {
  const platform = `node-${process.platform}-${process.arch}`
  await install(folder, { directus: version, [platform]: node })
  // Its sandbox for scripts would have to be compiled, and nothing here uses it.
  const sandbox = join(folder, 'node_modules', 'isolated-vm', 'out')
  await mkdir(sandbox, { recursive: true })
  await writeFile(join(sandbox, 'isolated_vm.js'), 'module.exports = {}\n')
  const program = join(folder, 'node_modules', platform, 'bin', 'node')
  const cli = join(folder, 'node_modules', 'directus', 'cli.js')
  const settings = {
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    DB_POOL__MIN: '2',
    DB_POOL__MAX: '10',
    SECRET: 'only-for-this-bench-0123456789abcdef',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'only-for-this-bench',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    // On a slow machine it would refuse requests instead of answering them late.
    PRESSURE_LIMITER_ENABLED: 'false',
    STORAGE_LOCATIONS: 'local',
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
  }
  await run(program, [cli, 'bootstrap'], folder, settings)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  async function start(hasCache: boolean) {
    const port = await freePort()
    return startProgram(
      [cli, 'start'],
      port,
      '/server/ping',
      join(folder, `server-${hasCache ? 'cached' : 'plain'}.log`),
      { ...settings, PORT: String(port), CACHE_ENABLED: String(hasCache), CACHE_AUTO_PURGE: 'true' },
      { program, cwd: folder },
    )
  }

  async function fill(): Promise<void> {
    const [{ there } = { there: false }] = await db<{ there: boolean }[]>`
      select to_regclass('videos') is not null as there
    `
    if (there) return
    const server = await start(false)
    try {
      const fields = [
        { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
        ...Object.entries(columns).map(([field, kind]) => ({
          field,
          type: types[kind],
          schema: { is_indexed: ['series_id', 'source_id', 'friendly_title'].includes(field) },
          meta: kind === 'json' ? { special: ['cast-json'] } : {},
        })),
        {
          field: 'created_at',
          type: 'timestamp',
          schema: { is_indexed: true },
          meta: { special: ['date-created'] },
        },
        { field: 'updated_at', type: 'timestamp', schema: {}, meta: { special: ['date-updated'] } },
      ]
      const made = await fetch(`${server.url}/collections`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ collection: 'videos', schema: {}, meta: {}, fields }),
      })
      if (!made.ok) throw new Error(`Directus made no collection: ${await made.text()}`)
    } finally {
      await server.stop()
    }
    await copyInto(db, 'videos', videos(), () => ({ id: crypto.randomUUID() }))
  }
  await fill()

  return async (hasCache: boolean): Promise<Contender> => {
    const ids = (await db<{ id: string }[]>`select id from videos limit 500`).map(({ id }) => id)
    const one = () => `/items/videos/${ids[random(ids.length)]}`
    const list = '/items/videos?limit=10&sort=-created_at&meta=filter_count'
    return {
      name: hasCache ? 'Directus, cache on' : 'Directus',
      about: `${version} with Node ${node}, production mode, cache ${hasCache ? 'in memory, emptied by writes' : 'off (the default)'}; indexes on the fields that are filtered and sorted`,
      server: await start(hasCache),
      headers,
      updates: 'PATCH',
      asks: {
        list: () => ({ path: list }),
        filtered: () => ({ path: `${list}&filter[series_id][_eq]=${series(rows)}` }),
        get: () => ({ path: one() }),
        rare: () => ({ path: `${list}&search=${rareWord(rows)}` }),
        common: () => ({ path: `${list}&search=${commonWord}&page=${1 + random(20)}` }),
        create: () => ({ path: '/items/videos', body: JSON.stringify(newVideo()) }),
        update: () => ({ path: one(), body: JSON.stringify(changes()) }),
      },
    }
  }
}
