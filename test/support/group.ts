/**
 * Several test files in one process. To load the sources takes a process longer than most files need for their tests,
 * so scripts/test.ts puts those together that start nothing but a server of their own.
 */
import { relative } from 'node:path'
import { before, describe } from 'node:test'
import { root } from './markdown.js'

let running = relative(root, process.argv[1] ?? '')

/** The test file whose tests run now. */
export const runningFile = () => running

/** Registers the files, each with its hooks around its own tests. They run one after the other. */
export function runGroup(files: readonly string[]): void {
  for (const file of files)
    describe(file, async () => {
      before(() => {
        running = file
      })
      await import(new URL(`../../${file}`, import.meta.url).href)
    })
}
