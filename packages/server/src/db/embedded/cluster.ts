import {
  chmod,
  cp,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, chooseAccount } from './account.js'
import { type Binaries, findBinaries, majorVersion, programOf } from './binaries.js'
import { createCluster } from './create-cluster.js'
import { unless } from './file-errors.js'
import { folderProblem } from './folder-problem.js'
import { firstClosed } from './reach.js'
import { planRunAs, type RunAs } from './run-as.js'
import { openSocketFolder } from './socket-folder.js'

/** The files of a database server and all that is needed to run it. */
export interface Cluster {
  /** A real path: PostgreSQL's own command line and its lock file name it. */
  readonly folder: string
  readonly socketFolder: string
  readonly postgres: string
  readonly runAs: RunAs
  readonly created: boolean
}

/** Finds the cluster in the folder, or makes one. */
export async function openCluster(path: string, given?: Binaries): Promise<Cluster> {
  const { above, folder } = await resolveFolder(path).catch((error: Error) => {
    throw folderProblem(path, error.message, { cause: error })
  })
  const account = await chooseAccount(folder)
  const binaries = await reachableBinaries(given ?? (await findBinaries()), account)
  const runAs = await planRunAs(account, [above, dirname(folder)])
  const created =
    !(await isUsable(folder, binaries)) && (await createCluster(folder, binaries, runAs, account))
  if (account) await giveFolder(folder, account)
  const socketFolder = await openSocketFolder(above, folder, account)
  return { folder, socketFolder, postgres: programOf(binaries, 'postgres'), runAs, created }
}

/** The folder may be a symlink to another disk; the socket stays in the folder above the link. */
async function resolveFolder(path: string): Promise<{ above: string; folder: string }> {
  await mkdir(dirname(path), { recursive: true })
  const above = await realpath(dirname(path))
  const direct = join(above, basename(path))
  return { above, folder: await realpath(direct).catch(unless(['ENOENT'], direct)) }
}

async function isUsable(folder: string, binaries: Binaries): Promise<boolean> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(unless(['ENOENT'], undefined))
  if (text === undefined) return refuseOtherFiles(folder)
  const brought = majorVersion(binaries)
  if (Number(text) === brought) return true
  throw new Error(
    `The database in ${folder} was made by PostgreSQL ${text.trim()}, and this Zoetrope brings ${brought}: go back to the Zoetrope that made it and make a backup to restore here, or set DATABASE_URL.`,
  )
}

async function refuseOtherFiles(folder: string): Promise<false> {
  const [stranger] = await readdir(folder).catch(unless(['ENOENT'], []))
  if (stranger === undefined) return false
  throw new Error(
    `The folder ${folder} should hold Zoetrope's database but holds something else (${stranger}): move that away, or set DATA_DIR to another folder.`,
  )
}

/** A cluster restored by root from a backup belongs to root. */
async function giveFolder(folder: string, { uid, gid }: Account): Promise<void> {
  if ((await stat(folder)).uid === uid) return
  const entries = await readdir(folder, { recursive: true })
  // The folder itself comes last: it tells whether the work is done.
  for (const entry of [...entries, '.']) await lchown(join(folder, entry), uid, gid)
}

/** Where root keeps copies of what it can make again (hier(7)). */
const cache = '/var/cache/zoetrope'

/**
 * The same programs where the account can run them: those below /root it cannot.
 * Capabilities would open the way, but the programs check it with access(2), which ignores capabilities.
 */
async function reachableBinaries(binaries: Binaries, account?: Account): Promise<Binaries> {
  if (!account) return binaries
  const closed = await firstClosed(account, [programOf(binaries, 'initdb'), programOf(binaries, 'postgres')])
  if (!closed) return binaries
  const folder = join(cache, `postgres-${binaries.version}-${process.platform}-${process.arch}`)
  try {
    if (!(await stat(folder).catch(unless(['ENOENT'], undefined)))) await copy(binaries.folder, folder)
  } catch (cause) {
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who may not enter ${closed}, and its programs cannot be copied to ${cache}: move Zoetrope to a folder that all users may enter, or run it as another user than root. (${(cause as Error).message})`,
      { cause },
    )
  }
  return { ...binaries, folder }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  await chmod(cache, 0o755)
  const fresh = await mkdtemp(`${to}.new-`)
  try {
    await cp(from, fresh, { recursive: true, verbatimSymlinks: true })
    // Installed under a strict umask, the files are closed too.
    const entries = await readdir(fresh, { recursive: true })
    await Promise.all(
      [fresh, ...entries.map((entry) => join(fresh, entry))].map((path) => chmod(path, 0o755)),
    )
    // Another server may have been quicker.
    await rename(fresh, to).catch(unless(['ENOTEMPTY', 'EEXIST'], undefined))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
