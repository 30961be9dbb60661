/** What `npm test` runs, in which order, and what it skips where a program is missing. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { longestFirst, readDurations } from '../scripts/test/durations.js'
import { addedByAll, allFiles, filesOfCheck, journeys } from '../scripts/test/files.js'
import { programsOf } from '../scripts/test/needs.js'

test('every journey of the short check exists and runs', async () => {
  const files = filesOfCheck(await allFiles())
  for (const file of Object.values(journeys)) assert.ok(files.includes(file), file)
})

test('the short check has every operation with every credential', async () => {
  const files = filesOfCheck(await allFiles())
  for (const name of ['access', 'access-consumers', 'access-publishers', 'access-named-keys'])
    assert.ok(files.includes(`test/api/${name}.test.ts`), name)
})

test('what the long check adds is there', async () => {
  const all = await allFiles()
  for (const [what, adds] of Object.entries(addedByAll)) assert.ok(all.some(adds), what)
})

test('the longest file comes first, and a new one before it', () => {
  const durations = { 'a.test.ts': 1, 'b.test.ts': 20, 'c.test.ts': 3 }
  assert.deepEqual(longestFirst(['a.test.ts', 'new.test.ts', 'b.test.ts', 'c.test.ts'], durations), [
    'new.test.ts',
    'b.test.ts',
    'c.test.ts',
    'a.test.ts',
  ])
})

test('durations are kept only of files that exist', () => {
  const gone = Object.keys(readDurations()).filter((file) => !existsSync(file))
  assert.deepEqual(gone, [], 'Run `npm run test:all -- --record`.')
})

test('a file needs the programs of the support files that it imports', () => {
  assert.deepEqual([...programsOf('test/browser/watch.test.ts')].sort(), ['browser', 'ffmpeg'])
  assert.deepEqual([...programsOf('test/browser/login-pages.test.ts')], ['browser'])
  assert.deepEqual([...programsOf('test/pipeline/prepare.test.ts')], ['ffmpeg'])
  assert.deepEqual([...programsOf('test/api/videos.test.ts')], [])
})
