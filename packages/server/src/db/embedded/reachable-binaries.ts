import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.js'
import { type Binaries, programOf } from './binaries.js'
import { unless } from './file-errors.js'
import { firstClosed } from './reach.js'

/** Where root keeps copies of what it can make again (hier(7)). */
const cache = '/var/cache/zoetrope'

/**
 * The same programs where the account can run them: those below /root it cannot.
 * Capabilities would open the way, but the programs check it with access(2), which ignores capabilities.
 */
export async function reachableBinaries(binaries: Binaries, account?: Account): Promise<Binaries> {
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
