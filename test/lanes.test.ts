/** The test runner fails whenever something failed, in whatever way. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { type FileResult, runInLanes } from '../scripts/test/lanes.js'
import { root } from './support/markdown.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-lanes-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs files with these contents in one lane. */
async function run(...texts: readonly string[]): Promise<FileResult[]> {
  const files = await Promise.all(
    texts.map(async (text, index) => {
      const path = join(folder, `${index}.test.mjs`)
      await writeFile(path, `import { test, before } from 'node:test'\n${text}\n`)
      return relative(root, path)
    }),
  )
  return runInLanes(files, { lanes: 1, isAlone: () => false, onResult: () => {} })
}

const failuresOf = (results: readonly FileResult[]) =>
  results.flatMap(({ failures }) => failures.map(({ reason }) => reason.split('\n', 1)[0] ?? ''))

test('files that pass are green, and each is counted', async () => {
  const results = await run(
    "test('one', () => {})",
    "test('two', () => {})\ntest('three', { skip: true }, () => {})",
  )
  assert.deepEqual(failuresOf(results), [])
  assert.deepEqual(
    results.map(({ passed, skipped }) => [passed, skipped]),
    [
      [1, 0],
      [1, 1],
    ],
  )
})

const broken: Readonly<Record<string, [text: string, reason: RegExp]>> = {
  'a test that fails': ["test('x', () => { throw new Error('in the test') })", /in the test/],
  'a file that cannot be loaded': ["throw new Error('at import')", /at import/],
  'a hook that fails': [
    "before(() => { throw new Error('in the hook') })\ntest('x', () => {})",
    /in the hook/,
  ],
  'a file without tests': ['', /no tests/],
  'an error after the test has ended': [
    "test('x', () => { setTimeout(() => { throw new Error('too late') }, 50) })\ntest('y', () => new Promise((done) => setTimeout(done, 0)))",
    /too late|ended with 3/,
  ],
  'a process that ends': [
    "test('x', () => { setTimeout(() => process.exit(1), 50) })\ntest('y', () => new Promise((done) => setTimeout(done, 5000)))",
    /ended with 1/,
  ],
  'a process that ends when all tests have': [
    "test('x', () => { process.exitCode = 1 })\nprocess.on('exit', () => process.exit(1))",
    /ended with 1/,
  ],
}
for (const [what, [text, reason]] of Object.entries(broken))
  test(`${what} is a failure`, async () => {
    assert.match(failuresOf(await run(text)).join('\n'), reason)
  })

test('a file that is run again runs its tests again', async () => {
  const path = join(folder, 'again.test.mjs')
  await writeFile(path, "import { test } from 'node:test'\ntest('x', () => {})\n")
  const file = relative(root, path)
  const results = await runInLanes([file, file], { lanes: 1, isAlone: () => false, onResult: () => {} })
  assert.deepEqual(
    results.map(({ passed }) => passed),
    [1, 1],
  )
})
