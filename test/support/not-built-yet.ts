import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './markdown.js'

export const notBuiltYetFile = 'test/support/not-built-yet.txt'

/** Operations in scope that are still to be built, one in a line. Nothing is ever added to it. */
export const notBuiltYet = async (): Promise<string[]> =>
  (await readFile(join(root, notBuiltYetFile), 'utf8')).split('\n').filter((line) => line !== '')
