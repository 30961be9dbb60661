import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, type Field, type FilterParameter, filterParameters } from '@zoetrope/contract'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

type Row = Readonly<Record<string, unknown>>

const records = 9
const filters = filterParameters(catalog.videos).filter(
  ({ field }) => field.hides !== true && field.kind !== 'objects',
)

/** Returns a value for the nth record. Values differ between records, so that every filter can tell them apart. */
function sample(name: string, field: Field, n: number): unknown {
  switch (field.kind) {
    case 'flag':
      return n % 2 === 0
    case 'integer':
      return n * 10
    case 'number':
      return n / 2
    case 'timestamp':
      return new Date(Date.UTC(2024, 0, 1 + n, n))
    case 'choice':
      return field.options[n % 3]
    case 'id':
      return n.toString(16).padStart(24, 'c')
    case 'list':
      return [0, n % 3, n % 4].map((each) => sample(name, field.of, each))
    default:
      // Friendly titles are unique in a channel.
      return name === 'friendly_title' ? `${name}-${n}` : `${name}-${n % 3}`
  }
}

let api: TestApi
let rows: Row[]
before(async () => {
  api = await startApi()
  const named = new Map(filters.map(({ name, field }) => [name, field]))
  rows = Array.from({ length: records }, (_, n) => {
    const filled = [...named].map(([name, field]) => [name, sample(name, field, n)])
    return { friendly_title: `v-${n}`, ...Object.fromEntries(filled), site_id: api.channel.channel._id }
  })
  const nullable = ['genre', 'series_id', 'episode', 'enable_at', 'parental_guidelines_rating', 'rating']
  rows.push({
    ...rows[0],
    ...Object.fromEntries(nullable.map((name) => [name, null])),
    friendly_title: 'friendly_title-last',
    _id: 'd'.repeat(24),
  })
  for (const row of rows) await api.database.db`insert into videos ${api.database.db(row as never)}`
})
after(() => api.stop())

/** Converts a date to a number, for comparison. */
const order = (value: unknown) => (value instanceof Date ? value.getTime() : value) as number

/** Whether the filter should keep the row, computed independently of the server. */
function keeps({ name, comparison }: FilterParameter, row: Row, values: readonly unknown[]): boolean {
  const asked = values.map(order)
  const own = row[name]
  const has = (value: unknown) => (Array.isArray(own) ? own.includes(value) : order(own) === value)
  if (comparison === 'not') return own === null || !asked.some(has)
  if (own === null) return false
  if (comparison === 'all') return asked.every(has)
  const [least = 0] = asked
  const compared = {
    gt: order(own) > least,
    gte: order(own) >= least,
    lt: order(own) < least,
    lte: order(own) <= least,
  }
  return comparison in compared ? compared[comparison as keyof typeof compared] : asked.some(has)
}

const written = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))

async function found(query: URLSearchParams, format: 'json' | 'xml'): Promise<unknown[]> {
  query.set('per_page', '100')
  query.set('response_fields', '_id')
  const headers = { 'x-api-key': api.channel.keys.admin }
  const { body, status } = await ask(`${api.url}/videos?${query}`, format, { headers })
  assert.equal(status, 200, body.message)
  return body.response.map(({ _id }) => _id).sort()
}

const idsOf = (kept: readonly Row[]) => kept.map(({ _id }) => _id).sort()

for (const format of formats)
  for (const filter of filters) {
    const { parameter, field, comparison, name } = filter
    test(`${parameter}= returns exactly the matching records (${format})`, async () => {
      const value = sample(name, field.kind === 'list' ? field.of : field, field.kind === 'flag' ? 0 : 2)
      const expected = rows.filter((row) => keeps(filter, row, [value]))
      assert.ok(expected.length > 0 && expected.length < rows.length, 'the sample tells nothing apart')
      assert.deepEqual(
        await found(new URLSearchParams([[parameter, written(value)]]), format),
        idsOf(expected),
      )
    })

    if (field.kind === 'flag' || field.kind === 'timestamp' || /^[gl]te?$/.test(comparison)) continue
    test(`${parameter}[]= takes several values (${format})`, async () => {
      const item = field.kind === 'list' ? field.of : field
      const values = [1, 2].map((n) => sample(name, item, n))
      const query = new URLSearchParams(values.map((value) => [`${parameter}[]`, written(value)]))
      assert.deepEqual(await found(query, format), idsOf(rows.filter((row) => keeps(filter, row, values))))
    })
  }

for (const { parameter, field } of filters) {
  if (!['flag', 'integer', 'number', 'timestamp', 'choice'].includes(field.kind)) continue
  test(`${parameter}= refuses what ${field.kind === 'choice' ? 'is no choice' : `is no ${field.kind}`}`, async () => {
    const query = new URLSearchParams([
      [parameter, 'gibberish'],
      ['api_key', api.channel.keys.admin],
    ])
    const { status, body } = await ask(`${api.url}/videos?${query}`)
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [422, 'invalid', [parameter]])
    assert.match(body.message, /must be/)
  })
}

for (const { parameter } of filters)
  test(`${parameter}= without a value is ignored`, async () => {
    for (const empty of [parameter, `${parameter}[]`])
      assert.deepEqual(await found(new URLSearchParams([[empty, '']]), 'json'), idsOf(rows))
  })
