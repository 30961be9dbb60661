/** Tests that are known to fail at times. Each has a reason, and a date after which its failures count. */
import { readFileSync } from 'node:fs'
import type { FileResult } from './lanes.js'

export interface KnownUnstable {
  readonly file: string
  readonly test: string
  readonly reason: string
  /** The last day on which its failure is forgiven, such as 2026-12-31. */
  readonly until: string
}

export const readUnstable = (): KnownUnstable[] =>
  JSON.parse(readFileSync(new URL('../../test/known-unstable.json', import.meta.url), 'utf8'))

/** Returns the entry that forgives a failure today, if there is one. */
export function forgivenBy(
  known: readonly KnownUnstable[],
  file: string,
  test: string,
  today = new Date().toISOString().slice(0, 10),
): KnownUnstable | undefined {
  return known.find((entry) => entry.file === file && entry.test === test && today <= entry.until)
}

export interface Verdict {
  readonly file: string
  readonly name: string
  readonly reason: string
  readonly forgiven: KnownUnstable | undefined
}

/** Returns every failure with its verdict. */
export const judge = (results: readonly FileResult[], known = readUnstable()): Verdict[] =>
  results.flatMap(({ file, failures }) =>
    failures.map(({ name, reason }) => ({ file, name, reason, forgiven: forgivenBy(known, file, name) })),
  )
