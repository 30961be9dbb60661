/** The first minute: PostgreSQL has not analyzed the new rows yet and estimates that there are hardly any. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
  await api.database.db`alter table videos set (autovacuum_enabled = off)`
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title)
    select lpad(to_hex(number), 24, '0'), ${api.channel.channel._id}, 'Video ' || number, 'video-' || number
    from generate_series(1, 400) as number
  `
})
after(() => api.stop())

for (const [name, query] of Object.entries({
  'a page': { per_page: 100 },
  'a filtered page': { per_page: 100, featured: false },
  'a sorted page': { per_page: 100, sort: 'title' },
  'a search': { per_page: 100, q: 'video' },
} as const))
  test(`${name} of 400 new videos takes no longer than it must before PostgreSQL has statistics`, async (context) => {
    const { videos } = api.as('admin')
    const taken: number[] = []
    // On a busy machine a single one may wait for the processor; a bad plan is slow every time.
    for (let page = 0; page < 4; page += 1) {
      const begun = performance.now()
      const { response } = await videos.list({ ...query, page })
      taken.push(Math.round(performance.now() - begun))
      assert.equal(response.length, 100)
    }
    context.diagnostic(`${taken.join(', ')} ms`)
    assert.ok(Math.min(...taken) < 500, `${taken.join(', ')} ms`)
  })
