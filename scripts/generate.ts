/**
 * Writes everything that is made from the contract and committed: `npm run generate`, or some parts of it by name, such as
 * `npm run generate -- sql docs`. Tests compare each part with what it is made from.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** In this order: the examples are recorded with the SQL. */
const parts: Readonly<Record<string, string>> = {
  sql: 'generate-sql.ts',
  examples: 'record-examples.ts',
  docs: 'docs-tables.ts',
  coverage: 'coverage-docs.ts',
}

const given = process.argv.slice(2)
const unknown = given.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
for (const [name, file] of Object.entries(parts)) {
  if (given.length > 0 && !given.includes(name)) continue
  const path = fileURLToPath(new URL(file, import.meta.url))
  const { status } = spawnSync(process.execPath, [...process.execArgv, path], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
