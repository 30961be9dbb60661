import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './markdown.js'

export const notBuiltYetFile = 'test/support/not-built-yet.txt'

/** Operations in scope that are not built yet, one per line. Nothing is ever added to the list. */
export const notBuiltYet = async (): Promise<string[]> =>
  (await readFile(join(root, notBuiltYetFile), 'utf8')).split('\n').filter((line) => line !== '')
