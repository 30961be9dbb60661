import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, createClient } from '@zoetrope/sdk'
import { formats, startApi, type TestApi } from '../support/api.js'
import { xmlFetch } from '../support/xml-fetch.js'

let api: TestApi
before(async () => {
  api = await startApi()
  for (let n = 1; n <= 5; n += 1) await api.as('admin').videos.create({ title: `Video ${n}` })
})
after(() => api.stop())

async function place({ videos }: Client, page?: number) {
  const { pagination, response } = await videos.list({ per_page: 2, ...(page === undefined ? {} : { page }) })
  const { current, previous, next, pages } = pagination
  return [current, previous, next, pages, response.map(({ title }) => title).join()]
}

for (const format of formats) {
  const options = format === 'xml' ? { fetch: xmlFetch } : {}

  test(`with first_page 1 no page, 0 and 1 are the first page, and all counts from 1 (${format})`, async () => {
    await api.as('admin', format).account.update({ first_page: 1 })
    const { videos } = api.as('read_only', format)
    for (const page of [undefined, 0, 1])
      assert.deepEqual(await place({ videos } as Client, page), [1, null, 2, 3, 'Video 5,Video 4'])
    assert.deepEqual(await place({ videos } as Client, 2), [2, 1, 3, 3, 'Video 3,Video 2'])
    assert.deepEqual(await place({ videos } as Client, 3), [3, 2, null, 3, 'Video 1'])
    assert.deepEqual(await place({ videos } as Client, 4), [4, 3, null, 3, ''])
    await assert.rejects(videos.list({ page: -1 }), { status: 422 })
  })

  test(`with first_page 1 an empty list is page 1 of none (${format})`, async () => {
    await api.other.as('admin', format).account.update({ first_page: 1 })
    assert.deepEqual(await place(api.other.as('admin', format)), [1, null, null, 0, ''])
  })

  test(`first_page of the channel applies to all its credentials at once (${format})`, async () => {
    for (const first of [1, 0] as const) {
      await api.as('admin', format).account.update({ first_page: first })
      for (const who of ['admin', 'read_only', 'app'] as const)
        assert.equal((await api.as(who, format).videos.list()).pagination.current, first)
    }
  })

  test(`an app may override first_page of its channel, and inherit it again with null (${format})`, async () => {
    const { apps, account } = api.as('admin', format)
    const app = await apps.create({ title: 'One-based', first_page: 1 })
    const client = createClient({ url: api.url, appKey: app.app_key, ...options })
    await account.update({ first_page: 0 })
    assert.deepEqual(await place(client, 1), [1, null, 2, 3, 'Video 5,Video 4'])
    assert.deepEqual(await place(api.as('read_only', format), 1), [1, 0, 2, 3, 'Video 3,Video 2'])

    await account.update({ first_page: 1 })
    await apps.update(app._id, { first_page: 0 })
    assert.deepEqual(await place(client, 1), [1, 0, 2, 3, 'Video 3,Video 2'])

    assert.equal((await apps.update(app._id, { first_page: null })).first_page, null)
    assert.deepEqual(await place(client, 1), [1, null, 2, 3, 'Video 5,Video 4'])
    await account.update({ first_page: 0 })
    assert.deepEqual(await place(client, 1), [1, 0, 2, 3, 'Video 3,Video 2'])
  })

  test(`first_page is 0 or 1 (${format})`, async () => {
    const { account } = api.as('admin', format)
    for (const wrong of [2, -1, 0.5, 'x', null])
      await assert.rejects(account.update({ first_page: wrong as never }), { status: 422 })
  })
}
