/** Writes packages/server/src/db/generated/ from the contract. `test/generated-sql.test.ts` compares them. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { generatedFiles, generatedFolder } from './sql/files.js'

const files = generatedFiles()
await mkdir(generatedFolder, { recursive: true })
for (const name of await readdir(generatedFolder))
  if (!Object.hasOwn(files, name)) await rm(new URL(name, generatedFolder))
for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, generatedFolder), text)
console.log(`Wrote ${Object.keys(files).join(', ')} to ${generatedFolder.pathname}.`)
