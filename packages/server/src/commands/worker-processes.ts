import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

const shortestPause = 500
const longestPause = 30_000
/** A worker that lived this long is restarted without delay. */
const settled = 5000
const patience = 10_000

export interface WorkerProcessesOptions {
  readonly count: number
  /** Called with the id of a worker that ended. */
  readonly onGone: (id: string) => Promise<void>
  readonly log: { warn(facts: object, message: string): void }
}

/** Runs workers as child processes with the same settings, and restarts those that end. */
export function startWorkerProcesses({ count, onGone, log }: WorkerProcessesOptions) {
  const stopping = new AbortController()
  const { signal } = stopping

  async function keepOne(): Promise<void> {
    let pause = shortestPause
    while (!signal.aborted) {
      const since = Date.now()
      const how = await runOne(signal, onGone)
      if (signal.aborted) return
      if (Date.now() - since > settled) pause = shortestPause
      log.warn({ ...how, pause_ms: pause }, 'a worker has ended unexpectedly; it is started again')
      await delay(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPause)
    }
  }
  const running = Array.from({ length: count }, keepOne)

  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function runOne(signal: AbortSignal, onGone: (id: string) => Promise<void>) {
  const child = fork(process.argv[1] ?? '', ['worker'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  let id: string | undefined
  child.on('message', (message) => {
    id ??= workerIn(message)
  })
  const end = () => void endInTime(child)
  signal.addEventListener('abort', end)
  const how = await new Promise<object>((resolve) => {
    child.once('error', ({ message }) => resolve({ error: message }))
    child.once('exit', (code, killedBy) => resolve(killedBy ? { signal: killedBy } : { code }))
  })
  signal.removeEventListener('abort', end)
  if (id !== undefined) await onGone(id).catch(() => {})
  return how
}

const workerIn = (message: unknown): string | undefined =>
  typeof message === 'object' && message && 'worker' in message ? String(message.worker) : undefined

async function endInTime(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await Promise.race([once(child, 'exit'), delay(patience, undefined, { ref: false })])
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}

/** In a worker: tells the parent server, if any, its id. */
export const introduce = (id: string) => process.send?.({ worker: id })

/** In a worker: resolves when the parent server has ended for any reason, so that the worker ends too. */
export function parentGone(): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) return
    process.once('disconnect', () => {
      resolve()
      setTimeout(() => process.exit(1), patience / 2).unref()
    })
  })
}
