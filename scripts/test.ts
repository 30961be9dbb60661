/**
 * Everything that must hold, in one command: lint, types, all tests. It installs what the tests need and the machine
 * lacks. `npm test -- test/api/videos.test.ts` runs only the files named.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestPostgres } from '../test/support/postgres.js'

const chromium = '/usr/bin/chromium'
const node = ['--import', 'tsx', '--conditions=zoetrope:source']

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  console.log(`\n$ ${[command, ...args].join(' ').slice(0, 200)}`)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${signal ?? code}`)),
    )
  })
}

async function installBrowser(): Promise<void> {
  if (existsSync(chromium)) return
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0)
    throw new Error(`The browser tests need ${chromium}. Install Debian's package chromium.`)
  await run('apt-get', ['update', '-qq'])
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    DEBIAN_FRONTEND: 'noninteractive',
  })
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((name) => name.endsWith('.test.ts') && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name))
    .sort()
}

const named = process.argv.slice(2)
const begun = Date.now()
if (named.length === 0) {
  await run('npx', ['biome', 'check', '.'])
  await run('npx', ['knip'])
  await run('npx', ['tsc', '-b'])
  await run('npx', ['tsc', '-p', 'test'])
  await installBrowser()
}
const files = named.length > 0 ? named : [...(await testFiles('packages')), ...(await testFiles('test'))]
const postgres = await startTestPostgres()
try {
  await run('node', [...node, '--test', '--test-concurrency=2', ...files], {
    TEST_POSTGRES: JSON.stringify(postgres.connection),
  })
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
console.log(
  `\n${process.exitCode ? 'Failed' : 'All good'} after ${Math.round((Date.now() - begun) / 1000)} s.`,
)
