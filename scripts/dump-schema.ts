/** Writes the schema of a new database to packages/server/src/db/schema.sql. `test/schema.test.ts` compares the two. */
import { rm, writeFile } from 'node:fs/promises'
import { openDatabase } from '../packages/server/src/db/database.js'
import { startTestPostgres, template } from '../test/support/postgres.js'
import { schemaFile, schemaText } from '../test/support/schema-text.js'

const postgres = await startTestPostgres()
try {
  const connection = { ...postgres.connection, database: template }
  const database = openDatabase({ connection, connections: 1 })
  await writeFile(schemaFile, await schemaText(database.db))
  await database.close()
  console.log(`Wrote ${schemaFile.pathname}.`)
} finally {
  await postgres.stop()
  await rm(postgres.folder, { recursive: true, force: true })
}
