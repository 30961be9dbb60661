import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let list: string
before(async () => {
  api = await startApi()
  list = `${api.url}/videos?api_key=${api.channel.keys.admin}`
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, created_at)
    select lpad(to_hex(n), 24, '0'), ${api.channel.channel._id}, 'Video ' || n, 'video-' || n,
      '2024-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, 25) as n
  `
})
after(() => api.stop())

const place = (query: string, format: 'json' | 'xml') =>
  ask(`${list}&${query}`, format).then(({ body: { pagination, response } }) => {
    const { current, previous, next, pages } = pagination
    return { current, previous, next, pages, records: response.length }
  })

for (const format of formats) {
  test(`per_page above 100 is reduced to 100, and the response says so (${format})`, async () => {
    for (const asked of ['101', '500', '999999999999']) {
      const { status, body } = await ask(`${list}&per_page=${asked}`, format)
      assert.deepEqual([status, body.pagination.per_page, body.pagination.pages], [200, 100, 1])
    }
  })

  for (const [name, value] of [
    ['per_page', '0'],
    ['per_page', '-1'],
    ['per_page', '2.5'],
    ['per_page', 'ten'],
    ['per_page', '1e1'],
    ['per_page', 'NaN'],
    ['page', '-1'],
    ['page', 'first'],
    ['page', '1.5'],
    ['page', '0x1'],
    ['page', 'Infinity'],
  ] as const)
    test(`${name}=${value} is refused and named in errors (${format})`, async () => {
      const { status, body } = await ask(`${list}&${name}=${value}`, format)
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [422, 'invalid', [name]])
      assert.match(body.message, new RegExp(`^${name} must be a whole number`))
    })

  test(`an empty page or per_page counts as absent (${format})`, async () => {
    const given = await place('page=&per_page=', format)
    assert.deepEqual(given, { current: 0, previous: null, next: 1, pages: 3, records: 10 })
  })

  test(`beyond the last page the list is empty and next is null (${format})`, async () => {
    assert.deepEqual(await place('page=3', format), {
      current: 3,
      previous: 2,
      next: null,
      pages: 3,
      records: 0,
    })
    const far = { current: 1_000_000, previous: 999_999, next: null, pages: 3, records: 0 }
    assert.deepEqual(await place('page=1000000', format), far)
  })

  test(`an empty list has no pages and no next (${format})`, async () => {
    const { body } = await ask(`${api.url}/videos?api_key=${api.other.keys.admin}`, format)
    assert.deepEqual(body, {
      response: [],
      pagination: {
        current: 0,
        previous: null,
        next: null,
        per_page: 10,
        pages: 0,
        total: 0,
        next_cursor: null,
      },
    })
  })

  test(`a filtered list counts its own pages (${format})`, async () => {
    const filter = `created_at.gt=2024-01-01T00:05:00Z`
    const first = { current: 0, previous: null, next: 1, pages: 2, records: 10 }
    assert.deepEqual(await place(filter, format), first)
    const last = { current: 1, previous: 0, next: null, pages: 2, records: 10 }
    assert.deepEqual(await place(`${filter}&page=1`, format), last)
    const beyond = { current: 2, previous: 1, next: null, pages: 2, records: 0 }
    assert.deepEqual(await place(`${filter}&page=2`, format), beyond)
  })

  test(`a cursor walks every record once, in the order of the list (${format})`, async () => {
    const seen: string[] = []
    for await (const { title } of api.as('read_only', format).videos.all({ per_page: 4 })) seen.push(title)
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, n) => `Video ${25 - n}`),
    )
  })

  test(`the last page has no cursor (${format})`, async () => {
    assert.equal((await ask(`${list}&page=2`, format)).body.pagination.next_cursor, null)
    assert.equal((await ask(`${list}&per_page=25`, format)).body.pagination.next_cursor, null)
  })

  test(`a cursor of another sort or order is refused (${format})`, async () => {
    const { next_cursor } = (await ask(`${list}&sort=title&order=asc`, format)).body.pagination
    for (const order of ['sort=title&order=desc', 'sort=created_at&order=asc', '']) {
      const { status, body } = await ask(`${list}&${order}&cursor=${next_cursor}`, format)
      assert.deepEqual([status, Object.keys(body.errors)], [422, ['cursor']])
    }
  })
}

test('a cursor with any character changed is refused', async () => {
  const cursor = String((await ask(list)).body.pagination.next_cursor)
  const tampered = [...cursor].map(
    (was, at) => cursor.slice(0, at) + (was === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
  )
  const others = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, 'x', 'null', btoa('[]'), '%00']
  for (const each of [...tampered, ...others]) {
    const { status, body } = await ask(`${list}&cursor=${each}`)
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['cursor']], each)
  }
})
