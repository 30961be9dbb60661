import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { appendLog } from './log-files.js'
import { patienceMs } from './patience.js'
import { noteFields, noteInstallation, noteKeys } from './secrets.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = [process.execPath, 'packages/server/bin/zoetrope.js']

type Env = Readonly<Record<string, string>>

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The published program in its own process. It sees only the given settings: nothing leaks in from the shell. */
export interface ServerProcess {
  readonly pid: number
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  readonly ended: Promise<Outcome>
  signal(name: NodeJS.Signals): void
  /** Signals the whole process group, as Ctrl-C in a terminal does. */
  signalGroup(name: NodeJS.Signals): void
}

export function launch(args: readonly string[], env: Env, through = program): ServerProcess {
  const [command = '', ...first] = through
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid ?? 0
  const output = collect(child)
  watchForSecrets(child, args, env)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output() }) as Outcome)
  return {
    pid,
    output,
    ended,
    signal: (name) => void child.kill(name),
    signalGroup: (name) => void process.kill(-pid, name),
  }
}

function collect(child: ChildProcess): ServerProcess['output'] {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  return () => ({ ...texts })
}

/**
 * The output of `start` is a log from its first word: even its welcome shows no key. The standard output of other
 * commands goes to the person who runs them and may contain a key, so it is not a log: its keys are secrets to search
 * for.
 */
function watchForSecrets(child: ChildProcess, args: readonly string[], env: Env): void {
  const name = `${child.pid}-${args[0]}`
  child.stderr?.on('data', (text: string) => appendLog(`${name}-stderr`, text))
  child.stdout?.on('data', (text: string) =>
    args[0] === 'start' ? appendLog(`${name}-stdout`, text) : noteKeys(text),
  )
  // Before the test learns that the process ended and removes its folder.
  child.once('close', () => noteInstallation(env))
}

/** Runs a command to its end. Kills it if it does not end in time. */
export async function runCommand(args: readonly string[], env: Env): Promise<Outcome> {
  const command = launch(args, env)
  const timer = setTimeout(() => command.signal('SIGKILL'), patienceMs)
  return command.ended.finally(() => clearTimeout(timer))
}

export interface RunningServer extends ServerProcess {
  readonly url: string
  /** The time from launch until it reported that it is ready. */
  readonly msToReady: number
  /** Stops the server quickly and cleanly. */
  stop(): Promise<Outcome>
}

/** Starts the server and waits until it responds. Fails with its last output if it exits instead. */
export async function startServer(
  env: Env & { readonly PORT: string },
  through = program,
): Promise<RunningServer> {
  const begun = performance.now()
  const server = launch(['start'], env, through)
  const url = `http://127.0.0.1:${env.PORT}`
  let ending: Outcome | undefined
  void server.ended.then((outcome) => {
    ending = outcome
  })
  while (!(await isReady(url))) {
    if (performance.now() - begun > patienceMs) server.signal('SIGKILL')
    if (ending) throw new Error(`The server ended (${ending.code ?? ending.signal}): ${ending.stderr}`)
    // Polling more often would slow the start down.
    await delay(50)
  }
  const stop = () => {
    server.signal('SIGTERM')
    return server.ended
  }
  return { ...server, url, msToReady: Math.round(performance.now() - begun), stop }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  )

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return String(port)
}

/** Creates a folder for one test, and settings for a server in it. */
export async function makeGround(): Promise<{
  readonly folder: string
  readonly env: Env & { readonly PORT: string; readonly DATA_DIR: string }
  remove(): Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-process-'))
  return {
    folder,
    env: { PORT: await freePort(), DATA_DIR: join(folder, 'data') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface Credentials {
  readonly url: string
  readonly channel: { readonly _id: string; readonly title: string }
  readonly keys: { readonly admin: string; readonly read_only: string; readonly player: string }
  readonly app: {
    readonly _id: string
    readonly app_key: string
    readonly client_id: string
    readonly client_secret: string
  }
  readonly publisher: { readonly email: string; readonly password: string }
}

export async function readCredentials({ DATA_DIR }: { readonly DATA_DIR: string }): Promise<Credentials> {
  const credentials = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8')) as Credentials
  noteFields(credentials)
  return credentials
}

/** Returns the pid of the PostgreSQL that runs in the folder. */
export async function postmasterPid({ DATA_DIR }: { readonly DATA_DIR: string }): Promise<number> {
  const text = await readFile(join(DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8')
  return Number.parseInt(text, 10)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
