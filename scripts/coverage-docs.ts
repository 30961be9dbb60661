/**
 * Writes docs/api/coverage.md and removes built operations from the list of missing ones. `test/coverage.test.ts`
 * checks both.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { coverageOf, isInScope, nameOf } from '../test/support/coverage.js'
import { coveragePage, writeCoverage } from '../test/support/coverage-page.js'
import { root } from '../test/support/markdown.js'
import { notBuiltYet, notBuiltYetFile } from '../test/support/not-built-yet.js'
import { readSources } from '../test/support/sources.js'

const page = join(root, coveragePage)
const before = await readFile(page, 'utf8').catch(() => '')
const coverage = coverageOf(await readSources('packages', 'test'))
await writeFile(page, writeCoverage(coverage, before))
const missing = coverage.missing.filter(isInScope).map(nameOf)
const listed = (await notBuiltYet()).filter((name) => missing.includes(name))
await writeFile(join(root, notBuiltYetFile), `${listed.join('\n')}\n`)
console.log(`Wrote ${coveragePage} and ${notBuiltYetFile}.`)
