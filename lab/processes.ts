import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export interface Running {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port could be had')
  return address.port
}

/** Starts a program that listens on `port` and waits until `path` responds. Its output goes to `log`. */
export async function startProgram(
  args: readonly string[],
  port: number,
  path: string,
  log: string,
  env: object = {},
  { program = 'node', cwd }: { readonly program?: string; readonly cwd?: string } = {},
): Promise<Running> {
  const output = openSync(log, 'a')
  const child = spawn(program, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    ...(cwd ? { cwd } : {}),
  })
  const url = `http://127.0.0.1:${port}`
  await answering(child, url + path, log)
  return { url, pid: child.pid ?? 0, stop: () => stopped(child) }
}

/**
 * The port that a folder's server has at every start. With another one it would have another address, and begin by writing that
 * into all of its records.
 */
async function portOf(folder: string): Promise<number> {
  const file = join(folder, 'port')
  if (!existsSync(file)) writeFileSync(file, String(await freePort()))
  return Number(readFileSync(file, 'utf8'))
}

/** Starts the compiled server as `npm start` does, on the data in `folder`; with `cwd`, that of another checkout. */
export async function startZoetrope(
  folder: string,
  settings: object = {},
  { cwd }: { readonly cwd?: string } = {},
): Promise<Running> {
  const port = await portOf(folder)
  const env = { DATA_DIR: folder, PORT: String(port), NODE_ENV: 'production', ...settings }
  return startProgram(
    ['--max-semi-space-size=8', '--max-old-space-size=256', 'packages/server/bin/zoetrope.js', 'start'],
    port,
    '/readyz',
    join(folder, 'server.log'),
    env,
    cwd === undefined ? {} : { cwd },
  )
}

async function answering(child: ChildProcess, url: string, log: string): Promise<void> {
  for (let attempt = 0; attempt < 6000; attempt += 1) {
    if (child.exitCode !== null)
      throw new Error(`It ended at once:\n${readFileSync(log, 'utf8').slice(-2000)}`)
    const reply = await fetch(url).catch(() => undefined)
    await reply?.arrayBuffer()
    if (reply?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not answer`)
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGINT')
  })
}

/** Returns the resident memory in megabytes. */
export function memoryOf(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

/** Returns the child processes of a process whose command line names this program. */
export function childrenOf(pid: number, program: string): number[] {
  const parentOf = (child: number) => {
    try {
      const name = readFileSync(`/proc/${child}/cmdline`, 'utf8')
      const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]
      return name.includes(program) ? Number(parent) : 0
    } catch {
      // The process has ended meanwhile.
      return 0
    }
  }
  return readdirSync('/proc')
    .map(Number)
    .filter((child) => child > 0 && parentOf(child) === pid)
}

/** Returns the peak resident memory in megabytes. */
export function peakMemoryOf(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

/** Returns the processor seconds of a process and of its ended children. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) / 100
}

/** Returns the processor seconds of all processes of a PostgreSQL server. */
export function cpuSecondsOfPostgres(dataFolder: string): number {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  return [postmaster, ...childrenOf(postmaster, '')].reduce((sum, pid) => sum + secondsOf(pid), 0)
}

function secondsOf(pid: number): number {
  try {
    return cpuSecondsOf(pid)
  } catch {
    // The process has ended meanwhile.
    return 0
  }
}
