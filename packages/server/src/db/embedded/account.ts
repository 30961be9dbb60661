import { readFile, stat } from 'node:fs/promises'
import { unless } from './file-errors.js'

/** A user of this machine. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Who runs the PostgreSQL of this folder, if not we ourselves: it refuses to run as root. */
export async function chooseAccount(folder: string): Promise<Account | undefined> {
  const owner = await stat(folder).catch(unless(['ENOENT'], undefined))
  const self = process.getuid?.() ?? 0
  if (self !== 0) {
    if (owner && owner.uid !== self)
      throw new Error(
        `The folder ${folder} belongs to uid ${owner.uid} and Zoetrope runs as uid ${self}: run it as that user or as root, or set DATA_DIR to another folder.`,
      )
    return undefined
  }
  const accounts = await readAccounts()
  if (owner && owner.uid !== 0)
    return {
      name: accounts.find(({ uid }) => uid === owner.uid)?.name ?? 'unknown',
      uid: owner.uid,
      gid: owner.gid,
    }
  const found = ['postgres', 'nobody'].map((name) => accounts.find((account) => account.name === name))
  const account = found.find((candidate) => candidate && candidate.uid !== 0)
  if (account) return account
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has neither a user postgres nor nobody: add one, run Zoetrope as another user, or set DATABASE_URL.',
  )
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(unless(['ENOENT'], ''))).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid && !line.startsWith('#') ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
