import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Coverage, coverageOf, isInScope, nameOf } from './support/coverage.js'
import { absentOf, type Claim, claimsOf, coveragePage } from './support/coverage-page.js'
import { readPage } from './support/markdown.js'
import { notBuiltYet, notBuiltYetFile } from './support/not-built-yet.js'
import { readSources } from './support/sources.js'

const mend = 'Run `npm run generate -- coverage` and commit what it writes.'

let coverage: Coverage
let claims: Claim[]
let absent: string[]
before(async () => {
  coverage = coverageOf(await readSources('packages', 'test'))
  const { text } = await readPage(coveragePage)
  claims = claimsOf(text)
  absent = absentOf(text)
})

test('every operation that existing apps build on is offered', async () => {
  const missing = coverage.missing.filter(isInScope).map(nameOf)
  const awaited = await notBuiltYet()
  assert.deepEqual(
    missing.filter((name) => !awaited.includes(name)),
    [],
    'These operations are in scope and no longer offered. Offer them: nothing is added to the list of what is not built.',
  )
  assert.deepEqual(
    awaited.filter((name) => !missing.includes(name)),
    [],
    `These are offered now, and still stand in ${notBuiltYetFile}. ${mend}`,
  )
})

test('the page on coverage names every operation that is offered, where it is defined, and a test that calls it', () => {
  assert.deepEqual(
    claims.map(({ name }) => name),
    coverage.offered.map(({ operation }) => nameOf(operation)),
    mend,
  )
  for (const { operation, definedIn, tests } of coverage.offered) {
    const claim = claims.find(({ name }) => name === nameOf(operation))
    assert.equal(claim?.definedIn, definedIn, mend)
    assert.ok(
      tests.includes(claim?.test ?? ''),
      `${claim?.test} does not call ${nameOf(operation)} any more. ${mend}`,
    )
  }
})

test('the page on coverage lists every operation that is not offered', () => {
  assert.deepEqual(absent, coverage.missing.map(nameOf), mend)
})
