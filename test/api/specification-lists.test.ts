import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let list: string
before(async () => {
  api = await startApi()
  const { admin } = api.channel.keys
  list = `${api.url}/videos?api_key=${admin}`
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, created_at)
    select lpad(to_hex(n), 24, '0'), ${api.channel.channel._id}, 'Video ' || n, 'video-' || n,
      '2024-01-01'::timestamptz + n * interval '1 hour'
    from generate_series(1, 125) as n
  `
})
after(() => api.stop())

const titles = (from: number, count: number) => Array.from({ length: count }, (_, n) => `Video ${from - n}`)

for (const format of formats) {
  test(`2.2 the records are in the element response, their place in pagination (${format})`, async () => {
    const { body } = await ask(list, format)
    assert.deepEqual(Object.keys(body), ['response', 'pagination'])
    assert.ok(Array.isArray(body.response))
  })

  test(`2.2 pagination has current, previous, next, per_page and pages (${format})`, async () => {
    const { next_cursor: _, total: __, ...pagination } = (await ask(`${list}&page=3`, format)).body.pagination
    assert.deepEqual(pagination, { current: 3, previous: 2, next: 4, per_page: 10, pages: 13 })
  })

  test(`2.2 current is the page requested (${format})`, async () => {
    for (const page of [0, 1, 7, 12])
      assert.equal((await ask(`${list}&page=${page}`, format)).body.pagination.current, page)
  })

  test(`2.2 previous is the page before the requested one (${format})`, async () => {
    assert.equal((await ask(`${list}&page=1`, format)).body.pagination.previous, 0)
    assert.equal((await ask(`${list}&page=12`, format)).body.pagination.previous, 11)
  })

  test(`2.2 previous is null when there is no page before (${format})`, async () => {
    assert.equal((await ask(`${list}&page=0`, format)).body.pagination.previous, null)
  })

  test(`2.2 next is the page after the requested one (${format})`, async () => {
    assert.equal((await ask(`${list}&page=0`, format)).body.pagination.next, 1)
    assert.equal((await ask(`${list}&page=11`, format)).body.pagination.next, 12)
  })

  test(`2.2 next is null on the last page (${format})`, async () => {
    assert.equal((await ask(`${list}&page=12`, format)).body.pagination.next, null)
  })

  test(`2.2 per_page is the maximum number of records returned per page (${format})`, async () => {
    const { response, pagination } = (await ask(`${list}&per_page=30&page=4`, format)).body
    assert.equal(pagination.per_page, 30)
    assert.equal(response.length, 5)
  })

  test(`2.2 pages is the total number of pages available (${format})`, async () => {
    for (const [perPage, pages] of [[1, 125], [25, 5], [26, 5], [24, 6], [100, 2]]) // biome-ignore format: pairs
      assert.equal((await ask(`${list}&per_page=${perPage}`, format)).body.pagination.pages, pages)
  })

  test(`4.4 GET /videos lists videos (${format})`, async () => {
    const { status, body } = await ask(list, format)
    assert.equal(status, 200)
    assert.deepEqual(
      body.response.map(({ title }) => title),
      titles(125, 10),
    )
  })

  test(`4.4 every list is paginated, also one that was not asked to be (${format})`, async () => {
    const { admin } = api.channel.keys
    for (const path of ['videos', 'apps']) {
      const { pagination, response } = (await ask(`${api.url}/${path}?api_key=${admin}`, format)).body
      assert.equal(pagination.current, 0)
      assert.equal(pagination.per_page, 10)
      assert.ok(response.length <= 10)
    }
  })

  test(`4.4 exactly one credential is taken: a second one is refused (${format})`, async () => {
    const { app_key } = api.channel
    for (const second of [`app_key=${app_key}`, 'access_token=x', `api_key=${api.channel.keys.read_only}`]) {
      const { status, body } = await ask(`${list}&${second}`, format)
      assert.equal(status, 422)
      assert.match(body.message, /exactly one credential/)
    }
  })

  test(`8 page is zero indexed: page 0 holds the first records, page 1 those after them (${format})`, async () => {
    const pages = await Promise.all([0, 1].map((page) => ask(`${list}&page=${page}`, format)))
    const read = pages.map(({ body }) => body.response.map(({ title }) => title))
    assert.deepEqual(read, [titles(125, 10), titles(115, 10)])
  })

  test(`8 page is not required: without it the answer is page 0 (${format})`, async () => {
    assert.deepEqual((await ask(list, format)).body, (await ask(`${list}&page=0`, format)).body)
  })

  test(`8 per_page defaults to 10 (${format})`, async () => {
    const { response, pagination } = (await ask(list, format)).body
    assert.deepEqual([response.length, pagination.per_page], [10, 10])
  })

  test(`8 per_page is the number of records per page (${format})`, async () => {
    for (const count of [1, 7, 99, 100])
      assert.equal((await ask(`${list}&per_page=${count}`, format)).body.response.length, count)
  })

  test(`8 per_page is at most 100 (${format})`, async () => {
    const { response, pagination } = (await ask(`${list}&per_page=101`, format)).body
    assert.deepEqual([response.length, pagination.per_page, pagination.pages], [100, 100, 2])
  })
}
