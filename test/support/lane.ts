/**
 * A process that runs the test files that scripts/test/lanes.ts sends it, one after the other. Loading the sources
 * takes longer than most test files, so it happens once for many files. They share a server where they can.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'
import { describe } from 'node:test'
import { beginFile, closeShared, runningFile } from './running-file.js'

const runs = new Map<string, number>()

/** A file that runs again must be loaded again, so it needs a new address. */
function addressOf(file: string): string {
  const before = runs.get(file) ?? 0
  runs.set(file, before + 1)
  return new URL(`../../${file}${before > 0 ? `?run=${before}` : ''}`, import.meta.url).href
}

/**
 * Node 20's test runner watches every promise and handle, to know which test made it. That takes five to ten percent of the time of the
 * tests, because the servers under test run in this process. Only while a file loads does it matter: tests belong to the
 * file that declares them. An error outside of a running test is reported by `tellLate`.
 */
let watching: AsyncHook | undefined

/** Runs what makes the test runner start, and finds the hook that it enables. */
function startTestRunner(start: () => void): void {
  const hooks = Object.getPrototypeOf(createHook({})) as AsyncHook
  const { enable } = hooks
  hooks.enable = function (this: AsyncHook) {
    watching = this
    return enable.call(this)
  }
  start()
  hooks.enable = enable
}

function runFile(file: string): void {
  watching?.enable()
  describe(file, async () => {
    beginFile(file)
    await import(addressOf(file))
    watching?.disable()
  })
}

process.on('message', (file: string) => {
  if (runs.size === 0) startTestRunner(() => runFile(file))
  else runFile(file)
})

/** The test runner attributes an error only to a running test. This reports errors outside of one. */
function tellLate(error: unknown): void {
  const reason = error instanceof Error ? error.stack : String(error)
  if (!process.connected) fail(error)
  process.send?.({ lateIn: runningFile(), reason }, undefined, undefined, (unsent) => unsent && fail(error))
}

/** For errors after the last file, when only the exit code is still read. */
function fail(error: unknown): never {
  console.error(error)
  process.exit(3)
}

process.on('uncaughtExceptionMonitor', tellLate)
process.on('unhandledRejection', tellLate)

// Not a hook of the test runner, which would already run after the first file.
process.on('disconnect', () => {
  closeShared().catch(fail)
})
process.send?.('ready')
