import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'

const staying = 250

let api: TestApi
before(async () => {
  api = await startApi()
  const site = api.channel.channel._id
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, genre, created_at)
    select rpad('', 20, 'a') || lpad(to_hex(n), 4, '0'), ${site}, 'Stays ' || n, 'stays-' || n, 'Steady', now() - n * interval '1 minute'
    from generate_series(1, ${staying}::int) as n
  `
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, genre, created_at)
    select rpad('', 20, 'b') || lpad(to_hex(n), 4, '0'), ${site}, 'Comes and goes ' || n, 'goes-' || n, 'Steady',
      now() - n * interval '37 seconds'
    from generate_series(1, 400) as n
  `
})
after(() => api.stop())

/** Starts other clients: one inserts and deletes, one deletes and restores, one hides and shows, until aborted. */
function startWriters(signal: AbortSignal): Promise<unknown> {
  const { videos } = api.as('admin')
  const churning = (n: number) => 'b'.repeat(20) + ((n % 400) + 1).toString(16).padStart(4, '0')
  const keep = async (write: (n: number) => Promise<unknown>) => {
    for (let n = 0; !signal.aborted; n += 1) await write(n)
  }
  return Promise.all([
    keep(async (n) => {
      const { _id } = await videos.create({ title: `New ${n}`, genre: 'Steady' })
      if (n % 2 === 0) await videos.remove(_id)
    }),
    keep(async (n) => {
      await videos.remove(churning(n * 2))
      await videos.restore(churning(n * 2))
    }),
    keep((n) => videos.update(churning(n * 2 + 1), { active: n % 2 > 0 })),
  ])
}

async function whileWriting(read: () => Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  await Promise.all([startWriters(stop.signal), read().finally(() => stop.abort())])
}

/** Returns how many records a page may have, given the number of pages. */
function belong(page: number, pages: number): { least: number; most: number } {
  if (page < pages - 1) return { least: 10, most: 10 }
  return page === pages - 1 ? { least: 1, most: 10 } : { least: 0, most: 0 }
}

test('every page is consistent in itself while others insert, delete and hide', async () => {
  const { videos } = api.as('read_only')
  await whileWriting(async () => {
    for (const page of Array.from({ length: 25 }, (_, n) => (n * 11) % 71)) {
      const { response, pagination } = await videos.list({ page, response_fields: ['active'] })
      const { least, most } = belong(page, pagination.pages)
      assert.ok(response.length >= least && response.length <= most, `${response.length} on page ${page}`)
      assert.equal(pagination.next, page < pagination.pages - 1 ? page + 1 : null)
      assert.equal(new Set(response.map(({ _id }) => _id)).size, response.length)
      assert.ok(response.every(({ active }) => active))
    }
  })
})

for (const query of [{}, { genre: 'Steady' }, { q: 'stays' }, { sort: 'title' as const }])
  test(`a cursor walk returns unchanged records exactly once while others change, ${JSON.stringify(query)}`, async () => {
    const { videos } = api.as('read_only')
    await whileWriting(async () => {
      for (let walk = 0; walk < 2; walk += 1) {
        const seen: string[] = []
        for await (const { _id } of videos.all({ ...query, per_page: 40, response_fields: ['_id'] }))
          seen.push(_id)
        assert.equal(new Set(seen).size, seen.length)
        assert.equal(seen.filter((id) => id.startsWith('aaaa')).length, staying)
      }
    })
  })

for (const format of formats)
  test(`after concurrent writes the number of pages matches the database (${format})`, async () => {
    for (const active of [true, false, 'all'] as const) {
      const [row] = await api.database.db<{ count: string }[]>`
        select count(*) from videos where site_id = ${api.channel.channel._id} and deleted_at is null
          and (${active === 'all'} or active = ${active === true})
      `
      const { pagination } = await api.as('admin', format).videos.list({ active, per_page: 1 })
      assert.equal(pagination.pages, Number(row?.count))
    }
  })
