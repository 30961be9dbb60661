import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.js'
import { type Binaries, majorVersion, programOf } from './binaries.js'
import { codeOf } from './file-errors.js'
import { folderProblem, reasonAmong } from './folder-problem.js'
import type { RunAs } from './run-as.js'

/** The name of the superuser, who is also the only one. */
export const superuser = 'zoetrope'

/** What a child of ours sees of the environment: nothing that could change what it does. */
export const environment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

const options = [
  `--username=${superuser}`,
  '--encoding=UTF8',
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
]

// Ours on every machine: the order of text must not change when the system's library does.
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
/** PostgreSQL 16 and older have no locale of their own. */
const systemLocale = ['--locale=C.UTF-8']
const localeOptions = (binaries: Binaries) => (majorVersion(binaries) >= 17 ? builtinLocale : systemLocale)

/** Makes a cluster and puts it in place in one step. False when another process was quicker. */
export async function createCluster(folder: string, binaries: Binaries, runAs: RunAs, account?: Account) {
  try {
    await removeAbandoned(folder)
    const fresh = await mkdtemp(newPrefix(folder))
    try {
      if (account) await chown(fresh, account.uid, account.gid)
      await initdb(binaries, fresh, runAs)
      return await putInPlace(fresh, folder)
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
  } catch (error) {
    throw folderProblem(folder, (error as Error).message, { cause: error })
  }
}

const newPrefix = (folder: string) => `${folder}.new-`

async function initdb(
  binaries: Binaries,
  folder: string,
  { prefix, options: spawnOptions }: RunAs,
): Promise<void> {
  const program = programOf(binaries, 'initdb')
  const [command = program, ...args] = [
    ...prefix,
    program,
    `--pgdata=${folder}`,
    ...options,
    ...localeOptions(binaries),
  ]
  const child = spawn(command, args, {
    ...spawnOptions,
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0)
    throw new Error(reasonAmong(said.trim().split('\n')) || `initdb ended with ${signal ?? code}`)
}

async function putInPlace(fresh: string, folder: string): Promise<boolean> {
  try {
    await rename(fresh, folder)
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false
    throw error
  }
  const above = await open(dirname(folder))
  await above.sync()
  await above.close()
  return true
}

/** A start that was killed midway leaves its work behind. One that is still at it has a young folder. */
async function removeAbandoned(folder: string): Promise<void> {
  const above = dirname(folder)
  const tenMinutesAgo = Date.now() - 600_000
  for (const name of await readdir(above)) {
    if (!name.startsWith(newPrefix(basename(folder)))) continue
    const path = join(above, name)
    if ((await stat(path)).mtimeMs < tenMinutesAgo) await rm(path, { recursive: true, force: true })
  }
}
