/**
 * Shows that Zoetrope runs on a version of Node. Installs that version from npm into a temporary folder, starts the
 * server with it, signs in with the link in the welcome, uploads and plays a film, and runs some tests. Without
 * arguments it tries all supported versions and writes bench/results/node.md.
 */
import { execFile, spawn } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeClip } from '../../test/support/clip.js'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import {
  makeGround,
  type RunningServer,
  readCredentials,
  startServer,
} from '../../test/support/server-process.js'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const supported = ['20.19', '22', '24']

/** Tests of what depends most on Node: streams, threads, sockets, child processes. */
const tests = [
  'test/api/videos.test.ts',
  'test/api/uploads-tus.test.ts',
  'test/api/oauth-flows.test.ts',
  'test/api/dashboard-session.test.ts',
  'test/pipeline/prepare.test.ts',
  'test/robustness/start.test.ts',
]

interface Trial {
  readonly version: string
  readonly firstMs: number
  readonly laterMs: number
  readonly playableMs: number
  readonly passed: string
}

/** Installs this version of Node below `folder`. Returns the folder of its `node`. */
async function fetchNode(version: string, folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const alias = `node-${version}`
  await execute('npm', ['install', '--prefix', folder, '--no-save', `${alias}@npm:${name}@${version}`])
  return join(folder, 'node_modules', alias, 'bin')
}

async function tryVersion(asked: string, folder: string): Promise<Trial> {
  const bin = await fetchNode(asked, folder)
  const path = [bin, process.env.PATH].join(delimiter)
  const version = (await execute(join(bin, 'node'), ['--version'])).stdout.trim()
  console.log(`\nNode ${version}`)
  const ground = await makeGround()
  try {
    const env = { ...ground.env, PATH: path, npm_config_update_notifier: 'false' }
    const first = await startServer(env, ['npm'])
    console.log(`  ready ${first.msToReady} ms after the first \`npm start\``)
    const metrics = await (await fetch(`${first.url}/metrics`)).text()
    if (!metrics.includes(`nodejs_version_info{version="${version}"`))
      throw new Error('Another Node runs the server.')
    await signIn(first)
    const playableMs = await uploadAndPlay(first, env)
    console.log(`  signed in by the link; a film could be played ${playableMs} ms after its upload`)
    await first.stop()
    const later = await startServer(env, ['npm'])
    console.log(`  ready ${later.msToReady} ms after the next \`npm start\``)
    const { code } = await later.stop()
    if (code !== 0) throw new Error(`The server ended with ${code}.`)
    const passed = await runTests(path)
    return { version, firstMs: first.msToReady, laterMs: later.msToReady, playableMs, passed }
  } finally {
    await ground.remove()
  }
}

async function signIn({ output, url }: RunningServer): Promise<void> {
  const token = /\/dashboard\/welcome#(\S+)/.exec(output().stdout)?.[1]
  const reply = await fetch(`${url}/dashboard/api/welcome`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, email: 'me@example.com', password: 'a password to try' }),
  })
  if (!reply.ok) throw new Error(`The link of the welcome was answered with ${reply.status}.`)
}

/** Uploads a film and fetches its playlists and a segment of each kind. Returns how long that took. */
async function uploadAndPlay({ url }: RunningServer, env: { readonly DATA_DIR: string }): Promise<number> {
  const { keys } = await readCredentials(env)
  const body = new FormData()
  body.set('video[title]', 'A film')
  body.set('source', await openAsBlob(await makeClip({ seconds: 5 })), 'film.mp4')
  const begun = performance.now()
  const created = await fetch(`${url}/videos`, { method: 'POST', headers: { 'x-api-key': keys.admin }, body })
  const { response } = (await created.json()) as { response: { _id: string } }
  const text = async (address: string) => {
    const reply = await fetch(address)
    return reply.ok ? reply.text() : undefined
  }
  let master: string | undefined
  while (!master?.startsWith('#EXTM3U')) {
    master = await text(`${url}/manifest/${response._id}?api_key=${keys.player}`)
    await delay(50)
  }
  for (const [variant] of master.matchAll(/https?:[^"\s]+index\.m3u8/g)) {
    const segment = /^\S+\.m4s$/m.exec((await text(variant)) ?? '')?.[0] ?? ''
    if (!(await text(new URL(segment, variant).href))) throw new Error(`${segment} cannot be fetched.`)
  }
  return Math.round(performance.now() - begun)
}

/** Runs the tests with the first `node` on the path. Returns how many passed. */
async function runTests(path: string): Promise<string> {
  const args = [
    '--import',
    './scripts/typescript.mjs',
    '--conditions=zoetrope:source',
    'scripts/test.ts',
    ...tests,
  ]
  const child = spawn('node', args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    process.stdout.write(text.replace(/^(?=.)/gm, '  '))
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error('Some tests failed.')
  return /^(\d+) passed/m.exec(said)?.[1] ?? '?'
}

const report = (
  trials: readonly Trial[],
) => `${new Date().toISOString().slice(0, 10)}, \`npm run lab -- try-node\`

Each version is fetched from npm and runs \`npm start\` in a new folder; somebody signs in by the link of the welcome, uploads a
film of five seconds and plays it; then the same version runs ${tests.length} test files.

| Node | ready, first start | ready, later | from the upload to the first segments | tests passed |
|---|--:|--:|--:|--:|
${trials
  .map(
    ({ version, firstMs, laterMs, playableMs, passed }) =>
      `| ${version.slice(1)} | ${firstMs} ms | ${laterMs} ms | ${playableMs} ms | ${passed} |`,
  )
  .join('\n')}
`

const asked = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-node-'))
try {
  await putFfmpegOnPath()
  const trials: Trial[] = []
  for (const version of asked.length > 0 ? asked : supported) trials.push(await tryVersion(version, folder))
  if (asked.length === 0) await writeFile(join(root, 'bench/results/node.md'), report(trials))
  console.log(`\n${report(trials)}`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
