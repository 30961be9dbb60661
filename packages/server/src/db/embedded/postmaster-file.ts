import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unless } from './file-errors.js'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly socketFolder: string
  readonly ready: boolean
}

export const postmasterFileIn = (folder: string) => join(folder, 'postmaster.pid')

/** What the PostgreSQL that runs in the folder, or did when it was killed, wrote about itself (pidfile.h). */
export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(postmasterFileIn(folder), 'utf8').catch(unless(['ENOENT'], undefined))
  if (text === undefined) return undefined
  const [pid = '', , , port, socketFolder = '', , , status] = text.split('\n')
  return {
    pid: Number.parseInt(pid, 10) || 0,
    port: Number(port),
    socketFolder,
    ready: status?.trim() === 'ready',
  }
}
