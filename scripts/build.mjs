/**
 * Builds what is older than its sources: `npm ci` runs this as `prepare`, `npm start` before it starts the server, and
 * `npm run build` by itself. `npm run build -- player` builds one part, also if nothing changed. It is plain JavaScript
 * without dependencies, so that a start with nothing to build loses no time here.
 */
import { spawn } from 'node:child_process'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const typescript = ['--import', './scripts/typescript.mjs']

const configOf = (name) => `packages/${name}/tsconfig.json`

/** The parts, each with its sources, the file whose time says when it was built last, and the arguments of Node to build it. */
const parts = [
  {
    name: 'server',
    sources: ['contract', 'sdk', 'player', 'server'].map((name) => `packages/${name}/src`),
    settings: ['tsconfig.base.json', ...['contract', 'sdk', 'player', 'server'].map(configOf)],
    made: 'packages/server/dist/.tsbuildinfo',
    command: ['node_modules/typescript/bin/tsc', '-b', 'packages/server', 'packages/sdk', 'packages/player'],
  },
  {
    name: 'sdk',
    sources: ['contract', 'sdk'].map((name) => `packages/${name}/src`),
    settings: ['scripts/build-sdk.ts', 'packages/sdk/package.json'],
    made: 'packages/sdk/dist/package/index.js',
    command: [...typescript, 'scripts/build-sdk.ts'],
  },
  {
    name: 'player',
    sources: ['packages/player/src'],
    settings: ['scripts/build-player.mjs', 'packages/player/package.json'],
    made: 'packages/player/dist/zoetrope-player.js',
    command: ['scripts/build-player.mjs'],
  },
  {
    name: 'dashboard',
    sources: ['contract', 'sdk', 'dashboard'].map((name) => `packages/${name}/src`),
    settings: [
      'scripts/build-dashboard.ts',
      'packages/dashboard/index.html',
      'packages/dashboard/package.json',
    ],
    made: 'packages/dashboard/dist/index.html',
    command: [...typescript, 'scripts/build-dashboard.ts'],
  },
]

/** Builds the parts that are older than their sources, in parallel. Rejects with the output of a builder that failed. */
export async function buildStale(say) {
  const stale = parts.filter(isStale)
  if (stale.length === 0) return
  say(`Building ${stale.map(({ name }) => `the ${name}`).join(', ')} …`)
  await Promise.all(stale.map(build))
}

function isStale({ sources, settings, made }) {
  const last = statSync(join(root, made), { throwIfNoEntry: false })?.mtimeMs
  if (last === undefined) return true
  // The lock file changes with the version of a dependency.
  return ['package-lock.json', 'scripts/build.mjs', ...settings, ...sources].some(
    (path) => newestIn(join(root, path)) > last,
  )
}

const newest = new Map()

/** The latest change of a file or a folder. Folders that are sources of several parts are read once. */
function newestIn(path) {
  const known = newest.get(path) ?? latestChange(path)
  newest.set(path, known)
  return known
}

/** Tests are not built, and the server reads SQL where it is. */
const sqlFolder = /\/db\/(functions|migrations|schema|triggers)(\/|$)/
const isBuilt = ({ name, parentPath }) =>
  !/\.(test\.tsx?|sql)$/.test(name) && !sqlFolder.test(join(parentPath, name))

/** A folder changes when a file in it is added, renamed or removed. */
function latestChange(path) {
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.mtimeMs
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter(isBuilt)
    .reduce(
      (latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs),
      facts.mtimeMs,
    )
}

async function build({ made, command }) {
  const begun = new Date()
  await run(command)
  // A builder does not touch a file that stays the same. Sources edited during the build are built next time.
  utimesSync(join(root, made), begun, begun)
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
      })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(said || `${args.join(' ')} failed (${code}).`)),
    )
  })
}

/** Builds the named parts, or what is stale if none is named. */
async function buildNamed(names) {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0)
    throw new Error(
      `There is no part "${unknown.join('", "')}". Name ${parts.map(({ name }) => name).join(', ')}.`,
    )
  if (names.length === 0) await buildStale((line) => process.stderr.write(`${line}\n`))
  else await Promise.all(parts.filter(({ name }) => names.includes(name)).map(build))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildNamed(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
