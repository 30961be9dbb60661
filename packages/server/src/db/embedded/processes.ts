import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { clusterName } from './cluster-name.js'
import { codeOf } from './file-errors.js'

const run = promisify(execFile)
const onLinux = process.platform === 'linux'

/** What tells a process from others that had or will have its pid; undefined when it has ended. */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!onLinux) {
    const [state = '', ...started] = (await ps(pid, 'state=', 'lstart=')).split(/\s+/)
    return state === '' || state.startsWith('Z') ? undefined : started.join(' ')
  }
  const found = await processStat(pid)
  // Start times count from boot, so after a reboot another process can have the same one.
  return found && `${(await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()} ${found.started}`
}

/** Is this pid a running PostgreSQL that works in the folder (a real path)? */
export async function runsPostgresIn(pid: number, folder: string): Promise<boolean> {
  if (!onLinux) return isPostgresOf(folder, await ps(pid, 'command='))
  if ((await processStat(pid))?.name !== 'postgres') return false
  try {
    const [there, here] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    // In a container, root may look up the directory of its own processes only, but everyone's command line.
    return (
      ['EACCES', 'EPERM'].includes(codeOf(error)) && isPostgresOf(folder, await read(`/proc/${pid}/cmdline`))
    )
  }
}

/** All processes of PostgreSQL in the folder, as far as this system tells (macOS does not). */
export async function postgresPidsIn(folder: string): Promise<number[]> {
  if (!onLinux) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const here = await Promise.all(pids.map((pid) => runsPostgresIn(pid, folder)))
  return pids.filter((_, index) => here[index])
}

/** True for zombies too, and for processes of other users. */
export function pidIsTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Sends a signal; that the process has just ended is no failure. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Name and start of a living process. Zombies do not count: they hold nothing any more. */
async function processStat(pid: number): Promise<{ name: string; started: string } | undefined> {
  const line = await read(`/proc/${pid}/stat`)
  // The name may contain spaces and parentheses; the fields after it may not (proc_pid_stat(5)).
  const end = line.lastIndexOf(')')
  const fields = line.slice(end + 2).split(' ')
  const [state, started] = [fields[0], fields[19]]
  if (!state || !started || 'ZXx'.includes(state)) return undefined
  return { name: line.slice(line.indexOf('(') + 1, end), started }
}

/** The name is on the command line of PostgreSQL's first process, and in the titles of all others. */
function isPostgresOf(folder: string, command: string): boolean {
  return /\bpostgres\b/.test(command) && command.includes(clusterName(folder))
}

/** A process may end at any moment, and its files with it. */
const read = (path: string) => readFile(path, 'utf8').catch(() => '')

async function ps(pid: number, ...columns: string[]): Promise<string> {
  const wanted = columns.flatMap((column) => ['-o', column])
  // ps ends with status 1 when there is no such process.
  const { stdout } = await run('ps', [...wanted, '-p', String(pid)], { env: { LC_ALL: 'C' } }).catch(() => ({
    stdout: '',
  }))
  return stdout.trim()
}
