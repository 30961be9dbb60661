import { lchown, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, chooseAccount } from './account.js'
import { type Binaries, findBinaries, majorVersion, programOf } from './binaries.js'
import { createCluster } from './create-cluster.js'
import { unless } from './file-errors.js'
import { folderProblem } from './folder-problem.js'
import { reachableBinaries } from './reachable-binaries.js'
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
