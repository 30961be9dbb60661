import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.js'
import { clusterName } from './cluster-name.js'
import { unless } from './file-errors.js'

/** PostgreSQL listens on no network port; this number is only part of the socket's name. */
export const port = 5432

export const socketIn = (folder: string) => join(folder, `.s.PGSQL.${port}`)

// sockaddr_un.sun_path holds 108 bytes on Linux and 104 on macOS, one of them for the final zero.
const longestPath = 103

/** The folder of the cluster's socket. Who can enter it is the superuser, so only its owner can. */
export async function openSocketFolder(above: string, cluster: string, account?: Account): Promise<string> {
  const folder = chooseSocketFolder(above, cluster)
  await mkdir(folder, { mode: 0o700 }).catch(unless(['EEXIST'], undefined))
  const found = await lstat(folder)
  // In the folder for temporary files, somebody else may have been there first.
  if (!found.isDirectory() || (found.uid !== process.getuid?.() && found.uid !== account?.uid))
    throw new Error(
      `PostgreSQL needs the folder ${folder} for its socket, but somebody else owns it: remove it.`,
    )
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  return folder
}

export function chooseSocketFolder(above: string, cluster: string): string {
  const beside = join(above, 'postgres-socket')
  if (Buffer.byteLength(socketIn(beside)) <= longestPath) return beside
  return join(tmpdir(), clusterName(cluster))
}
