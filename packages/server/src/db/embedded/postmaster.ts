import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { clearTheWay } from './clear-the-way.js'
import type { Cluster } from './cluster.js'
import { clusterName } from './cluster-name.js'
import { environment } from './create-cluster.js'
import { reasonAmong } from './folder-problem.js'
import { type OtherSettings, settingArguments } from './settings.js'

/** One run of PostgreSQL as our child. */
export interface Postmaster {
  readonly pid: number | undefined
  /** Resolves when it has ended, however it ended, with a few words about it. */
  readonly ended: Promise<string>
  signal(name: NodeJS.Signals): void
}

export async function launchPostmaster(
  cluster: Cluster,
  log: (line: string) => void,
  others?: OtherSettings,
): Promise<Postmaster> {
  await clearTheWay(cluster, log)
  const { prefix, options } = cluster.runAs
  const program = [...prefix, cluster.postgres, '-D', cluster.folder]
  const [command = '', ...args] = [
    ...program,
    ...settingArguments(clusterName(cluster.folder), cluster.socketFolder, others),
  ]
  // In a group of its own: Ctrl-C in a terminal goes to the whole group, and the server has work to finish.
  const child = spawn(command, args, {
    ...options,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { pid: child.pid, ended: watch(child, log), signal: (name) => void child.kill(name) }
}

async function watch(child: ChildProcessByStdio<null, null, Readable>, log: (line: string) => void) {
  const lastLines: string[] = []
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => {
    lastLines.push(line)
    if (lastLines.length > 20) lastLines.shift()
    log(line)
  })
  const closed = once(lines, 'close')
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`))
  })
  // Its last words may still be in the pipe; but children of its own that outlive it hold the pipe open.
  await Promise.race([closed, delay(100)])
  lines.close()
  child.stderr.destroy()
  return [how, how.startsWith('status') && reasonAmong(lastLines)].filter(Boolean).join(': ')
}
