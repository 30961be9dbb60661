/**
 * A process that runs test files one after the other, as scripts/test/lanes.ts names them. Loading the sources takes longer
 * than most files need for their tests, so it happens once for many files, and they share a server where they can.
 */
import { describe } from 'node:test'
import { beginFile, closeShared } from './running-file.js'

process.on('message', (file: string) => {
  describe(file, async () => {
    beginFile(file)
    await import(new URL(`../../${file}`, import.meta.url).href)
  })
})
// Not a hook of the test runner: it would run after the first file already.
process.on('disconnect', () => void closeShared())
process.send?.('ready')
