import { constants } from 'node:fs'
import { access, readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Account } from './account.js'

/** How to start a program as somebody: what to put before the command line, and what to give to `spawn`. */
export interface RunAs {
  readonly prefix: readonly string[]
  readonly options: { readonly uid?: number; readonly gid?: number }
}

/** Makes sure that the account can enter all the folders and run all the programs, which must exist. */
export async function planRunAs(
  account: Account | undefined,
  folders: readonly string[],
  programs: readonly string[],
): Promise<RunAs> {
  if (!account) return { prefix: [], options: {} }
  const { uid, gid } = account
  const closed = await firstClosed(account, folders, programs)
  if (!closed) return { prefix: [], options: { uid, gid } }

  const setpriv = await findSetpriv()
  const capabilities = await heldCapabilities()
  if (!setpriv || capabilities === '')
    throw new Error(
      `PostgreSQL runs as the user ${account.name}, who may not enter ${closed}: open it to that user (chmod o+x), install setpriv (util-linux), or move Zoetrope and DATA_DIR to folders that all users may enter.`,
    )
  const drop = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const keep = [`--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`]
  return { prefix: [setpriv, ...drop, ...keep, '--'], options: {} }
}

async function firstClosed(account: Account, folders: readonly string[], programs: readonly string[]) {
  const paths = new Set([...folders, ...programs])
  for (const program of programs) for (const folder of ancestors(await realpath(program))) paths.add(folder)
  for (const folder of folders) for (const above of ancestors(await realpath(folder))) paths.add(above)
  for (const path of paths) if (!(await mayExecute(account, path))) return path
  return undefined
}

async function mayExecute({ uid, gid }: Account, path: string): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(path)
  if (uid === owner) return (mode & constants.S_IXUSR) !== 0
  if (gid === group) return (mode & constants.S_IXGRP) !== 0
  return (mode & constants.S_IXOTH) !== 0
}

function ancestors(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...ancestors(above)]
}

async function findSetpriv(): Promise<string | undefined> {
  for (const path of ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv'])
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path
  return undefined
}

/** The two that open closed folders, as far as we have them to pass on: containers often have only the first. */
async function heldCapabilities(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const held = Number.parseInt(/^CapPrm:\s*(\w+)/m.exec(status)?.[1]?.slice(-8) ?? '0', 16)
  const bits = { dac_override: 1, dac_read_search: 2 }
  return Object.entries(bits)
    .filter(([, bit]) => held & (1 << bit))
    .map(([name]) => `+${name}`)
    .join()
}
