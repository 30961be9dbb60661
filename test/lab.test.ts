/** `npm run lab`: the list, the help of each experiment, and wrong names. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { experiments } from '../lab/experiments.js'
import { runSources } from './support/run-sources.js'

const lab = (...args: string[]) =>
  promisify(execFile)(process.execPath, [
    ...runSources,
    '--conditions=zoetrope:source',
    'lab/main.ts',
    ...args,
  ])

test('every experiment has a file whose first comment explains it', async () => {
  for (const { file } of Object.values(experiments))
    assert.match(
      await readFile(new URL(`../lab/${file}`, import.meta.url), 'utf8'),
      /^\/\*\*\n \* [A-Z]/,
      file,
    )
})

test('without a name, all experiments are listed with a line each', async () => {
  const { stdout } = await lab()
  for (const [name, { about }] of Object.entries(experiments))
    assert.ok(
      stdout.split('\n').some((line) => line.startsWith(`  ${name} `) && line.endsWith(about)),
      name,
    )
})

test('--help prints the options of an experiment and what it does', async () => {
  const { stdout } = await lab('bench-media', '--help')
  assert.match(stdout, /^npm run lab -- bench-media \[--short\]\n\nUploads films/)
})

test('an unknown name is refused, and similar ones are named', async () => {
  const refused = async (name: string) => {
    const { code, stderr } = await lab(name).then(
      () => ({ code: 0, stderr: '' }),
      (error: { code: number; stderr: string }) => error,
    )
    assert.equal(code, 1)
    return stderr
  }
  assert.match(await refused('bench:media'), /Did you mean bench-media\?/)
  assert.match(await refused('hostle'), /Did you mean hostile\?/)
  assert.match(await refused('media'), /Did you mean bench-media or chaos-media\?/)
  assert.match(await refused('constructor'), /`npm run lab` lists all\./)
})
