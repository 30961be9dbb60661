/** What the test runner prints, and when it fails. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { brokenPromises } from '../../test/support/answer-checks.js'
import { untrueClaims } from '../../test/support/calls.js'
import { searchLogs } from '../../test/support/secret-search.js'
import { addedByAll, journeys } from './files.js'
import type { FileResult } from './lanes.js'

const secondsOf = (seconds: number) => `${seconds.toFixed(1)} s`.padStart(8)

export function printResult({ file, seconds, passed, skipped, failures }: FileResult): void {
  const counts = [`${passed} passed`, skipped ? `${skipped} skipped` : '', failures.length ? 'FAILED' : '']
  console.log(`${secondsOf(seconds)}  ${file}  ${counts.filter(Boolean).join(', ')}`)
  for (const { name, reason } of failures) console.log(`          ${name}: ${reason.split('\n', 1)[0]}`)
}

const slowestShown = 10

/** Prints failures and the slowest files at the end, where they are easy to find. Fails the run if a test failed. */
export function judgeResults(results: readonly FileResult[], skippedFiles: number): void {
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  if (results.length > slowestShown) {
    console.log('\nThe slowest files:')
    const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
    for (const { file, seconds } of slowest) console.log(`${secondsOf(seconds)}  ${file}`)
  }
  for (const { file, failures } of results)
    for (const { name, reason } of failures) console.error(`\nFailed: ${name}\n  ${file}\n${reason}`)
  const failed = sum(({ failures }) => failures.length)
  if (failed > 0) process.exitCode = 1
  if (skippedFiles > 0) console.log(`\n${skippedFiles} files were skipped, because a program is missing.`)
  console.log(
    `\n${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`,
  )
}

const mostShown = 20

/** Fails the run if a log contains a secret. The logs are then kept for inspection. */
export async function judgeLogs(folder: string): Promise<void> {
  const { secrets, lines, findings } = searchLogs(folder)
  console.log(`Searched ${lines} lines of log for ${secrets} secrets.`)
  if (findings.length === 0) return rm(folder, { recursive: true, force: true })
  console.error(`${findings.length} lines have a secret in them, masked here with asterisks:`)
  for (const { file, line, text } of findings.slice(0, mostShown))
    console.error(`  ${join(folder, file)}:${line}: ${text}`)
  process.exitCode = 1
}

/** Fails the run if a test does not make a call that the documentation claims, or a response breaks the document. */
export function judgeCalls(folder: string, files: readonly string[]): void {
  const untrue = [...untrueClaims(folder, files), ...brokenPromises(folder)]
  for (const sentence of untrue) console.error(sentence)
  if (untrue.length > 0) process.exitCode = 1
}

/** Says what `npm test` has run, and what it has not. */
export function sayWhatAllAdds(run: readonly string[], added: number): void {
  const made = Object.entries(journeys).filter(([, file]) => run.includes(file))
  console.log(
    `\nRan ${run.length} test files: lint, types, unit tests, the API with every operation and credential,`,
  )
  console.log(`and a journey each through ${made.map(([what]) => what).join(', ') || 'nothing'}.`)
  console.log(`npm run test:all adds ${added} files: ${Object.keys(addedByAll).join('; ')}.`)
}
