import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type LoopbackServer, openLoopback, openOwnLoopback } from './loopback.js'
import { runs } from './try-command.js'

export interface ProcessLimits {
  readonly memoryBytes: number
  readonly fileBytes: number
  /** 0 with a viewer waiting, up to 19. */
  readonly nice: number
}

type Wrap = (command: readonly string[], limits: ProcessLimits) => string[]

/** A command prefix that gives the program no network, limited memory, and our lifetime. */
export interface Sandbox {
  readonly wrap: Wrap
  /** What this system does not support, for the log at start. */
  readonly lacks: readonly string[]
  /**
   * A sandbox that can reach one server of this process and nothing else; `undefined` if this system cannot have one.
   * Where programs keep the network, they keep it there too.
   */
  readonly withServer: () => Promise<ServedSandbox | undefined>
}

/** The same prefix, for programs that may connect to the server. */
export interface ServedSandbox extends LoopbackServer {
  readonly wrap: Wrap
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
  const wrapIn =
    (prefix: readonly string[] | undefined, privileges: readonly string[] | undefined): Wrap =>
    (command, limits) => [
      ...before(prefix),
      ...before(memory && [...memory, `--as=${limits.memoryBytes}`, `--fsize=${limits.fileBytes}`]),
      ...before(privileges),
      ...(nice && limits.nice > 0 ? [...nice.slice(0, 2), String(limits.nice)] : []),
      ...command,
    ]
  return {
    lacks,
    wrap: wrapIn(network, death),
    withServer: () => (network ? serveApart(network, death, wrapIn) : serveHere(wrapIn(undefined, death))),
  }
}

const before = (words: readonly string[] | undefined) => (words ? [...words, '--'] : [])

async function serveHere(wrap: Wrap): Promise<ServedSandbox | undefined> {
  const opened = await openLoopback()
  return opened && { ...opened, wrap }
}

/** A network for the programs and the server alone. They share it, so none may change it or listen to the others. */
async function serveApart(
  unshare: readonly string[],
  setpriv: readonly string[] | undefined,
  wrapIn: (prefix: readonly string[], privileges: readonly string[]) => Wrap,
): Promise<ServedSandbox | undefined> {
  const [nsenter, nothing] = await Promise.all(['nsenter', 'true'].map(findProgram))
  const opened = nsenter && setpriv && (await openOwnLoopback(unshare, nsenter))
  if (!opened || !nothing) return undefined
  const bare = [...setpriv.filter((word) => !withoutRights.includes(word)), ...withoutRights]
  const wrap = wrapIn(opened.prefix, bare)
  const [command = '', ...args] = wrap([nothing], { memoryBytes: 1e9, fileBytes: 1e9, nice: 0 })
  if (await runs(command, args)) return { ...opened, wrap }
  opened.server.close()
  return undefined
}

async function firstThatRuns(name: string, forms: readonly string[][]): Promise<string[] | undefined> {
  const [program, nothing] = await Promise.all([findProgram(name), findProgram('true')])
  if (!program || !nothing) return undefined
  for (const form of forms) if (await runs(program, [...form, nothing])) return [program, ...form]
  return undefined
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
