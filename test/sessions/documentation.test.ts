import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createClient } from '@zoetrope/sdk'
import { makeClip } from '../support/clip.js'
import {
  commandBlocks,
  fenced,
  followPage,
  isRun,
  isRunWhole,
  type Reader,
} from '../support/documented-commands.js'
import { createEmptyDatabase } from '../support/empty-database.js'
import { type Page, readPage, readPages, root } from '../support/markdown.js'
import { type Connection, urlOf } from '../support/postgres.js'
import { addressOf, startS3, type TestS3 } from '../support/s3.js'
import { noteFields } from '../support/secrets.js'
import {
  freePort,
  makeGround,
  type RunningServer,
  runCommand,
  startServer,
} from '../support/server-process.js'

const run = promisify(execFile)
const pages = (await readPages()).filter(({ path }) => /^(README|docs\/(guide|api)\/.*)\.md$/.test(path))
const followed = pages.filter((page) => commandBlocks(page).some(isRun))

test('only guides about machines have commands that are not run here', () => {
  const partly = pages.filter((page) => commandBlocks(page).some((block) => !isRunWhole(block)))
  assert.deepEqual(
    partly.map(({ path }) => basename(path, '.md')),
    ['deploy', 'grow', 'install', 'operate', 'sdk'],
  )
  assert.ok(followed.length > 25)
})

test('commands are in blocks of the language sh, so that they are run', () => {
  const hidden = pages.flatMap(({ path, text }) =>
    [...text.matchAll(fenced)].flatMap(([, , language, code = '']) =>
      language !== 'sh' && /^ *(\$ )?(curl|npx|npm|zoetrope) [^=]/m.test(code) && !code.includes('Welcome!')
        ? [`${path}: ${code}`]
        : [],
    ),
  )
  assert.deepEqual(hidden, [])
})

let store: TestS3
let server: RunningServer
let remove: () => Promise<void>
let dataDir: string
let folder: string
let files: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-reader-'))
  files = await makeFiles(join(folder, 'files'))
  store = await startS3()
  const ground = await makeGround()
  dataDir = ground.env.DATA_DIR
  server = await startServer(ground.env)
  remove = ground.remove
})
after(async () => {
  await server.stop()
  await store.stop()
  await remove()
  await rm(folder, { recursive: true, force: true })
})

/** Makes the files that the pages send. */
async function makeFiles(to: string): Promise<string> {
  await mkdir(to)
  const film = await makeClip({ size: '320x180', seconds: 4 })
  for (const name of ['horse.mp4', 'horse-2.mp4']) await cp(film, join(to, name))
  await cp(await makeClip({ codec: 'none', container: 'm4a', seconds: 4 }), join(to, 'horse.fr.m4a'))
  await run('ffmpeg', ['-v', 'error', '-i', film, '-frames:v', '1', join(to, 'horse.jpg')])
  await writeFile(join(to, 'horse.en.srt'), '1\n00:00:00,500 --> 00:00:02,000\nIt gallops.\n')
  return to
}

for (const page of followed)
  test(`the commands of ${page.path} do and print what it says`, async (t) => {
    const place = join(folder, basename(page.path, '.md'))
    await cp(files, place, { recursive: true })
    const reader = startsServers(page) ? await ownInstallation(page, place) : await ownChannel(page, place)
    t.after(reader.end)
    assert.deepEqual(await followPage(page, reader), [])
  })

/** Returns whether the page works on a whole installation rather than on a channel. */
const startsServers = (page: Page) =>
  commandBlocks(page).some(({ commands }) => /\b(npm start|zoetrope [a-z]+)\b/.test(commands))

type Staged = Reader & { end(): Promise<unknown> }

async function ownChannel({ path }: Page, place: string): Promise<Staged> {
  const { stdout } = await runCommand(['channel', 'create', path], { DATA_DIR: dataDir })
  const { channel, keys } = JSON.parse(stdout) as { channel: { _id: string }; keys: { admin: string } }
  const app = await createClient({ url: server.url, apiKey: keys.admin }).apps.create({ title: 'First app' })
  const credentials = { url: server.url, channel, keys, app }
  noteFields(credentials)
  await mkdir(join(place, 'data'))
  await writeFile(join(place, 'data', 'credentials.json'), JSON.stringify(credentials))
  const variables = path.startsWith('docs/api/')
    ? commandBlocks(await readPage('docs/api/conventions.md'))[0]
    : undefined
  return {
    folder: place,
    env: {},
    substitutes: { 'http://127.0.0.1:8080': server.url, 'CODE=5f0c…': 'CODE=$(code_from "$PAGE")' },
    first: path.endsWith('/conventions.md') ? '' : variables?.commands,
    async end() {},
  }
}

const storeOf = (prefix: string) => addressOf(store.settings({ prefix }))

async function ownInstallation(page: Page, place: string): Promise<Staged> {
  const port = await freePort()
  const empty = await createEmptyDatabase(JSON.parse(process.env.TEST_POSTGRES ?? '') as Connection)
  const startsItself = /\bstart$/m.test(commandBlocks(page)[0]?.commands ?? '')
  return {
    folder: place,
    env: { PORT: port, ZOETROPE: join(root, 'packages/server/bin/zoetrope.js') },
    substitutes: {
      '127.0.0.1:8080': `127.0.0.1:${port}`,
      'PORT=9000': `PORT=${await freePort()}`,
      '/var/lib/zoetrope': join(place, 'other'),
      's3://KEY:SECRET@s3.example.com/films?region=eu-central-1': storeOf('grown'),
      's3://KEY:SECRET@s3.example.com/films/zoetrope?region=eu-central-1': storeOf('begun'),
      'postgres://zoetrope:PASSWORD@db.internal/zoetrope': urlOf(empty.connection),
      'postgres://zoetrope:password@db.example.org/zoetrope': urlOf(empty.connection),
      'SECRET_KEY=…': `SECRET_KEY=${'5'.repeat(64)}`,
      '/mnt/zoetrope': join(place, 'shared'),
      'one.internal:8080': `127.0.0.1:${port}`,
    },
    typed: storeOf('begun'),
    first: startsItself ? '' : 'npm start',
    end: empty.drop,
  }
}
