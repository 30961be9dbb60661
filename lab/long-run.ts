/**
 * Long runs can be stopped with Ctrl-C and continued with the same command. Until a run has finished, its state is kept
 * in a file under node_modules/.cache.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'

export interface LongRun<State> {
  readonly state: State
  /** Whether this continues an earlier run. */
  readonly isContinued: boolean
  isStopped(): boolean
  save(): Promise<void>
  /** Deletes the state, so that the next run starts over. */
  finish(): Promise<void>
}

/** Opens the state of a named run and watches for Ctrl-C. A run continues only if `key` is unchanged. */
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

/** Describes the environment of a result: date, commit, machine, Node version and command. */
export function circumstances(command: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, commit ${commit}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}: \`${command}\``
}

/** Writes the page of a result. Reports what was wrong, which fails the run. */
export async function publishResult(file: URL, page: string, wrong: readonly string[]): Promise<void> {
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, page)
  console.log(`Wrote ${file.pathname}.`)
  for (const line of wrong) console.error(line)
  if (wrong.length > 0) process.exitCode = 1
}
