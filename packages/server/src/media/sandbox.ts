import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface ProcessLimits {
  readonly memoryBytes: number
  readonly fileBytes: number
  /** 0 with a viewer waiting, up to 19. */
  readonly nice: number
}

/** A command prefix that gives the program no network, limited memory, and our lifetime. */
export interface Sandbox {
  readonly wrap: (command: readonly string[], limits: ProcessLimits) => string[]
  /** What this system does not support, for the log at start. */
  readonly lacks: readonly string[]
}

/** The only privilege kept from root is reading files of other users: the media folder may belong to one. */
const withoutRights = ['--bounding-set=-all,+dac_read_search', '--inh-caps=-all']
const isRoot = process.getuid?.() === 0

const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']

/** Every part is tried once, because containers often have the program and forbid the call. */
export async function detectSandbox(): Promise<Sandbox> {
  const [network, memory, death, nice] = await Promise.all([
    firstThatRuns('unshare', [['--net'], ['--map-root-user', '--net']]),
    firstThatRuns('prlimit', [['--core=0']]),
    firstThatRuns('setpriv', [
      ...(isRoot ? [['--pdeathsig=KILL', '--no-new-privs', ...withoutRights]] : []),
      ['--pdeathsig=KILL', '--no-new-privs'],
      ['--no-new-privs'],
    ]),
    firstThatRuns('nice', [['-n', '1']]),
  ])
  const lacks = [
    network ? [] : ['ffmpeg keeps the network: `unshare --net` is missing or not allowed here.'],
    memory ? [] : ['ffmpeg has no memory limit: `prlimit` is missing or not allowed here.'],
    death?.[1] === '--pdeathsig=KILL'
      ? []
      : ['ffmpeg may outlive a killed worker: `setpriv` is missing or too old.'],
    isRoot && !death?.includes('--inh-caps=-all')
      ? ['ffmpeg has the rights of root, as the server has: run Zoetrope as a user of its own.']
      : [],
    nice ? [] : ['ffmpeg runs at the priority of the server: `nice` is missing.'],
  ].flat()
  return {
    lacks,
    wrap: (command, limits) => [
      ...(network ? [...network, '--'] : []),
      ...(memory ? [...memory, `--as=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`, '--'] : []),
      ...(death ? [...death, '--'] : []),
      ...(nice && limits.nice > 0 ? [...nice.slice(0, 2), String(limits.nice)] : []),
      ...command,
    ],
  }
}

async function firstThatRuns(name: string, forms: readonly string[][]): Promise<string[] | undefined> {
  const [program, nothing] = await Promise.all([findProgram(name), findProgram('true')])
  if (!program || !nothing) return undefined
  for (const form of forms) {
    const runs = await promisify(execFile)(program, [...form, nothing], { timeout: 5000 }).then(
      () => true,
      () => false,
    )
    if (runs) return [program, ...form]
  }
  return undefined
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name)
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return path
  }
  return undefined
}
