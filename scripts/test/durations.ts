/** How long each test file took in the last recorded run, so that the longest can run first. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { FileResult } from './lanes.js'

const path = new URL('../../test/durations.json', import.meta.url)

export type Durations = Readonly<Record<string, number>>

export const readDurations = (): Durations => JSON.parse(readFileSync(path, 'utf8'))

/** Sorts files so that the longest come first. A file without a duration is new and may be long. */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const secondsOf = (file: string) => durations[file] ?? Number.POSITIVE_INFINITY
  return files.toSorted((a, b) => compare(secondsOf(b), secondsOf(a)) || a.localeCompare(b))
}

const compare = (a: number, b: number) => (a === b ? 0 : a - b)

/** Replaces the durations of the files that ran, and removes files that do not exist any more. */
export function recordDurations(results: readonly FileResult[], existing: ReadonlySet<string>): void {
  const seconds = new Map(Object.entries(readDurations()).filter(([file]) => existing.has(file)))
  for (const result of results)
    if (existing.has(result.file)) seconds.set(result.file, Math.round(result.seconds * 10) / 10)
  const sorted = [...seconds].sort(([a], [b]) => a.localeCompare(b))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
