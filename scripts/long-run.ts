/**
 * Runs that take long can be stopped with Ctrl-C and continued by the same command: what they have done so far is in a file
 * under node_modules/.cache until they have finished.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'

export interface LongRun<State> {
  readonly state: State
  /** Whether an earlier run is continued. */
  readonly isContinued: boolean
  isStopped(): boolean
  save(): Promise<void>
  /** Forgets the state: the next run begins anew. */
  finish(): Promise<void>
}

/** The state of the run with this name, and whether Ctrl-C was pressed. `key` is what must be the same for a run to be continued. */
export async function openLongRun<State extends object>(
  name: string,
  key: string,
  isFresh: boolean,
  begin: () => State,
): Promise<LongRun<State>> {
  const folder = new URL('../node_modules/.cache/', import.meta.url)
  const file = new URL(`zoetrope-${name}.json`, folder)
  const kept = isFresh ? undefined : await readKept<State>(file, key)
  const state = kept ?? begin()
  let stopped = false
  const stop = () => {
    if (stopped) process.exit(130)
    stopped = true
    console.log('Stopping. The same command continues the run; --fresh begins anew.')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  await mkdir(folder, { recursive: true })
  return {
    state,
    isContinued: kept !== undefined,
    isStopped: () => stopped,
    save: () => writeFile(file, JSON.stringify({ key, state })),
    finish: () => rm(file, { force: true }),
  }
}

async function readKept<State>(file: URL, key: string): Promise<State | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as { key: string; state: State }
    return kept.key === key ? kept.state : undefined
  } catch {
    return undefined
  }
}

/** Where and with what a result came about. */
export function circumstances(command: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, commit ${commit}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}: \`${command}\``
}
