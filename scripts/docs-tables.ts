/** Writes the tables of the documentation that repeat the code. `test/docs.test.ts` compares them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPage, root } from '../test/support/markdown.js'
import { repeatedTables, withTable } from '../test/support/repeated-tables.js'

for (const { page, table } of repeatedTables) {
  const { text } = await readPage(page)
  const changed = withTable(text, table)
  if (changed === text) continue
  await writeFile(join(root, page), changed)
  console.log(`Wrote a table of ${page}.`)
}
