import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import type { Account } from './account.js'
import { firstClosed } from './reach.js'

/** How to start a program as somebody: what to put before the command line, and what to give to `spawn`. */
export interface RunAs {
  readonly prefix: readonly string[]
  readonly options: { readonly uid?: number; readonly gid?: number }
}

/** Makes sure that the account, once it runs, can enter the folders, even if they are closed to it. */
export async function planRunAs(account: Account | undefined, folders: readonly string[]): Promise<RunAs> {
  if (!account) return { prefix: [], options: {} }
  const { uid, gid } = account
  const closed = await firstClosed(account, folders)
  if (!closed) return { prefix: [], options: { uid, gid } }

  const setpriv = await findSetpriv()
  const capabilities = await heldCapabilities()
  if (!setpriv || capabilities === '')
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who may not enter ${closed}: open it to that user (chmod o+x), install setpriv (util-linux), or set DATA_DIR to a folder that all users may enter.`,
    )
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const keep = [`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`]
  return { prefix: [setpriv, ...drop, ...keep, '--'], options: {} }
}

async function findSetpriv(): Promise<string | undefined> {
  for (const path of ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv']) {
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return path
  }
  return undefined
}

/** The two that open closed folders, as far as we have them: containers often have only the first. */
async function heldCapabilities(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const held = Number.parseInt(/^CapPrm:\s*(\w+)/m.exec(status)?.[1]?.slice(-8) ?? '0', 16)
  const bits = { dac_override: 1, dac_read_search: 2 }
  return Object.entries(bits)
    .filter(([, bit]) => held & (1 << bit))
    .map(([name]) => `+${name}`)
    .join()
}
