import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePort, startProgram } from '../../processes.js'
import { type Contender, changes, commonWord, newVideo, random, rareWord, series } from './contender.js'
import type { PeerPlace } from './directus.js'
import { install } from './install.js'
import { columns, copyInto } from './rows.js'

const version = '5.54.0'

const types = {
  string: 'string',
  text: 'text',
  integer: 'integer',
  decimal: 'decimal',
  float: 'float',
  boolean: 'boolean',
  json: 'json',
  timestamp: 'datetime',
} as const

const schema = {
  kind: 'collectionType',
  collectionName: 'videos',
  info: { singularName: 'video', pluralName: 'videos', displayName: 'Video' },
  options: { draftAndPublish: false },
  attributes: Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => [name, { type: types[kind] }]),
  ),
}

const core = (kind: string) =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::video.video')\n`

/** The smallest project with one content type. The key for its API is written to a file at the first start. */
const project = (databaseUrl: string): Readonly<Record<string, string>> => ({
  'config/server.js': `module.exports = { host: '127.0.0.1', port: Number(process.env.PORT), app: { keys: ['bench-one', 'bench-two'] }, logger: { startup: { enabled: false } } }\n`,
  'config/admin.js': `module.exports = { serveAdminPanel: false, autoOpen: false, auth: { secret: 'bench' }, apiToken: { salt: 'bench' }, transfer: { token: { salt: 'bench' } }, secrets: { encryptionKey: 'bench' } }\n`,
  'config/api.js': `module.exports = { rest: { defaultLimit: 10, maxLimit: 100, withCount: true } }\n`,
  'config/database.js': `module.exports = { connection: { client: 'postgres', connection: { connectionString: ${JSON.stringify(databaseUrl)} }, pool: { min: 2, max: 20 } } }\n`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::query', 'strapi::body', 'strapi::favicon', 'strapi::public']\n`,
  'src/api/video/content-types/video/schema.json': JSON.stringify(schema),
  'src/api/video/routes/video.js': core('Router'),
  'src/api/video/controllers/video.js': core('Controller'),
  'src/api/video/services/video.js': core('Service'),
  'src/index.js': `module.exports = {
  async bootstrap({ strapi }) {
    const tokens = strapi.service('admin::api-token')
    if (await tokens.exists({ name: 'bench' })) return
    const { accessKey } = await tokens.create({ name: 'bench', description: '', type: 'full-access', lifespan: null })
    require('node:fs').writeFileSync('token.txt', accessKey)
  },
}
`,
})

/** Installs Strapi and fills it. Returns how to start it. */
export async function prepareStrapi({ folder, db, databaseUrl, rows, videos }: PeerPlace) {
  await install(folder, {
    '@strapi/strapi': version,
    pg: '8',
    react: '18',
    'react-dom': '18',
    'react-router-dom': '6',
    'styled-components': '6',
  })
  for (const [name, text] of Object.entries(project(databaseUrl))) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await mkdir(join(folder, 'public', 'uploads'), { recursive: true })

  async function start() {
    const port = await freePort()
    const cli = join(folder, 'node_modules', '@strapi', 'strapi', 'bin', 'strapi.js')
    const settings = { NODE_ENV: 'production', PORT: String(port), STRAPI_TELEMETRY_DISABLED: 'true' }
    return startProgram([cli, 'start'], port, '/_health', join(folder, 'server.log'), settings, {
      cwd: folder,
    })
  }

  const [{ there } = { there: 0 }] = await db<{ there: number }[]>`
    select coalesce((select reltuples from pg_class where relname = 'videos'), 0)::int as there
  `
  if (there < rows) {
    // The first start makes the tables and the key.
    await (await start()).stop()
    await copyInto(db, 'videos', videos(), (number, { created_at }) => ({
      document_id: number.toString(36).padStart(24, 'a'),
      published_at: created_at,
    }))
    for (const column of ['series_id', 'source_id', 'friendly_title', 'created_at'])
      await db.unsafe(`create index if not exists videos_${column} on videos (${column})`)
    await db`analyze videos`
  }

  return async (): Promise<Contender> => {
    const key = await readFile(join(folder, 'token.txt'), 'utf8')
    const ids = (await db<{ id: string }[]>`select document_id as id from videos limit 500`).map(
      ({ id }) => id,
    )
    const one = () => `/api/videos/${ids[random(ids.length)]}`
    const list = '/api/videos?pagination[pageSize]=10&sort=createdAt:desc'
    return {
      name: 'Strapi',
      about: `${version}, production mode, without its admin panel; it has no cache of its own; indexes added on the fields that are filtered and sorted`,
      server: await start(),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      updates: 'PUT',
      asks: {
        list: () => ({ path: list }),
        filtered: () => ({ path: `${list}&filters[series_id][$eq]=${series(rows)}` }),
        get: () => ({ path: one() }),
        rare: () => ({ path: `${list}&_q=${rareWord(rows)}` }),
        common: () => ({ path: `${list}&_q=${commonWord}&pagination[page]=${1 + random(20)}` }),
        create: () => ({ path: '/api/videos', body: JSON.stringify({ data: newVideo() }) }),
        update: () => ({ path: one(), body: JSON.stringify({ data: changes() }) }),
      },
    }
  }
}
