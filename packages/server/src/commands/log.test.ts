import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSources } from '../../../../test/support/run-sources.js'

/** The lines that a process has logged by the time it ends. */
function linesOf(ending: string, count: number): Promise<number[]> {
  const source = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
    const { logger, flush } = openLog({ logLevel: 'info', logFormat: 'json' }, false)
    for (let line = 0; line < ${count}; line += 1) logger.info({ line }, 'a line')
    ${ending}`
  const arguments_ = [...runSources, '--input-type=module', '-e', source]
  return new Promise((resolve) =>
    execFile(process.execPath, arguments_, { maxBuffer: 64 * 1_048_576 }, (_, stdout) => {
      const lines = stdout.trim().split('\n')
      resolve(lines.map((line) => (JSON.parse(line) as { line: number }).line))
    }),
  )
}

const upTo = (count: number) => Array.from({ length: count }, (_, line) => line)

test('a process that ends because of a fault has written all lines of its log', async () => {
  assert.deepEqual(await linesOf('process.exit(1)', 2), upTo(2))
})

test('lines are written in order, and all of them before an ordered end', async () => {
  assert.deepEqual(await linesOf('flush(); process.exit(0)', 100), upTo(100))
  // Many times what is gathered at once.
  assert.deepEqual(await linesOf('setTimeout(() => { flush(); process.exit(0) }, 1500)', 5000), upTo(5000))
})
