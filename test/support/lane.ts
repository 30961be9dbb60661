/**
 * A process that runs test files one after the other, as scripts/test/lanes.ts names them. Loading the sources takes longer
 * than most files need for their tests, so it happens once for many files, and they share a server where they can.
 */
import { describe } from 'node:test'
import { beginFile, closeShared, runningFile } from './running-file.js'

const runs = new Map<string, number>()

/** A file that is run again must be loaded again, under an address that is new. */
function addressOf(file: string): string {
  const before = runs.get(file) ?? 0
  runs.set(file, before + 1)
  return new URL(`../../${file}${before > 0 ? `?run=${before}` : ''}`, import.meta.url).href
}

process.on('message', (file: string) => {
  describe(file, async () => {
    beginFile(file)
    await import(addressOf(file))
  })
})

/** The test runner counts an error only against a test that is running. */
function tellLate(error: unknown): void {
  const reason = error instanceof Error ? error.stack : String(error)
  if (process.connected) process.send?.({ lateIn: runningFile(), reason })
  else fail(error)
}

/** For errors after the last file, when nobody listens but to the exit code. */
function fail(error: unknown): never {
  console.error(error)
  process.exit(3)
}

process.on('uncaughtExceptionMonitor', tellLate)
process.on('unhandledRejection', tellLate)

// Not a hook of the test runner: it would run after the first file already.
process.on('disconnect', () => {
  closeShared().catch(fail)
})
process.send?.('ready')
