/**
 * Counts what a reader of the code has to hold in mind: lines, triggers, SQL functions, tables and npm scripts, of this
 * version and of an earlier one. `npm run lab -- weight --checkout ../earlier` names its folder. Runs nothing of either.
 * Writes bench/results/weight.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { madeOn } from '../report.js'

const { values: given } = parseArgs({ options: { checkout: { type: 'string' } } })
if (!given.checkout) throw new Error('--checkout names the folder of an earlier version.')

interface Source {
  readonly path: string
  readonly text: string
}

const isSource = (path: string) =>
  /\.(ts|tsx|mjs|sql)$/.test(path) && !/(^|\/)(node_modules|dist|before-baseline)\//.test(path)

function sourcesIn(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(isSource)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path) || path.startsWith('test/')
/** An earlier version keeps a dump of its schema, which repeats the other SQL. */
const isDump = ({ path }: Source) => path.endsWith('/db/schema.sql')
const linesOf = (sources: readonly Source[]) =>
  sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

/** Migrations that change a table are history; the dump says what is there after all of them. */
function statementsOf(server: readonly Source[], pattern: RegExp): number {
  const dump = server.filter(isDump)
  const sources = dump.length > 0 ? dump : server.filter(({ path }) => path.endsWith('.sql'))
  return sources.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)
}

function countsOf(root: string): Readonly<Record<string, number>> {
  const packages = sourcesIn(root, 'packages').filter((source) => !isDump(source))
  const server = sourcesIn(root, 'packages/server/src').filter((source) => !isTest(source))
  const tests = [...sourcesIn(root, 'test'), ...packages.filter(isTest)]
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  return {
    'lines of the server with its SQL': linesOf(server.filter((source) => !isDump(source))),
    'lines of all packages': linesOf(packages.filter((source) => !isTest(source))),
    'lines of tests': linesOf(tests),
    'lines of the dump of the schema': linesOf(server.filter(isDump)),
    triggers: statementsOf(server, /^\s*create (or replace )?(constraint )?trigger /gim),
    'SQL functions': statementsOf(server, /^\s*create or replace function /gim),
    tables: statementsOf(server, /^\s*create (unlogged )?table /gim),
    'npm scripts': Object.keys(scripts).length,
  }
}

const [before, now] = [countsOf(given.checkout), countsOf('.')]
const rows = Object.entries(now).map(
  ([name, count]) =>
    `| ${name} | ${(before[name] ?? 0).toLocaleString('en')} | ${count.toLocaleString('en')} |`,
)
const page = [
  '# How heavy the code is',
  '',
  `${madeOn()}: \`npm run lab -- weight --checkout ../earlier\`. Counted, not run.`,
  '',
  '| | earlier | now |',
  '|---|--:|--:|',
  ...rows,
  '',
].join('\n')
writeFileSync('bench/results/weight.md', page)
console.log(page)
