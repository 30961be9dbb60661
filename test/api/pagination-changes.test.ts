import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { formats, startApi, type TestApi } from '../support/api.js'

const staying = 250
const writingMs = 2500

let api: TestApi
before(async () => {
  api = await startApi()
  const site = api.channel.channel._id
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, genre, created_at)
    select lpad(to_hex(n), 24, 'a'), ${site}, 'Stays ' || n, 'stays-' || n, 'Steady', now() - n * interval '1 minute'
    from generate_series(1, ${staying}::int) as n
  `
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, genre, created_at)
    select lpad(to_hex(n), 24, 'b'), ${site}, 'Comes and goes ' || n, 'goes-' || n, 'Steady',
      now() - n * interval '37 seconds'
    from generate_series(1, 400) as n
  `
})
after(() => api.stop())

/** Other clients: one inserts, one removes, one hides and shows, until told to stop. */
function startWriters(signal: AbortSignal): Promise<unknown> {
  const { videos } = api.as('admin')
  const churn = (n: number) => ((n % 400) + 1).toString(16).padStart(24, 'b')
  const keep = async (write: (n: number) => Promise<unknown>) => {
    for (let n = 0; !signal.aborted; n += 1) await write(n)
  }
  return Promise.all([
    keep((n) => videos.create({ title: `New ${n}`, genre: 'Steady' })),
    keep(async (n) => {
      await videos.remove(churn(n * 2))
      if (n % 3 === 0) await videos.restore(churn(n * 2))
    }),
    keep((n) => videos.update(churn(n * 2 + 1), { active: n % 400 > 200 })),
  ])
}

async function whileWriting(read: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const stop = new AbortController()
  const writing = startWriters(stop.signal)
  await Promise.all([read(stop.signal), pause(writingMs).then(() => stop.abort())]).finally(() =>
    stop.abort(),
  )
  await writing
}

test('every page is consistent in itself while others insert, delete and hide', async () => {
  const { videos } = api.as('read_only')
  let pagesRead = 0
  await whileWriting(async (signal) => {
    for (let page = 0; !signal.aborted; page = (page + 7) % 70) {
      const { response, pagination } = await videos.list({ page, response_fields: ['active'] })
      const { pages, next, previous, current } = pagination
      const rest = pages - 1 - page
      assert.ok(rest > 0 ? response.length === 10 : rest < 0 ? response.length === 0 : response.length > 0)
      assert.deepEqual(
        [current, previous, next],
        [page, page > 0 ? page - 1 : null, rest > 0 ? page + 1 : null],
      )
      assert.equal(new Set(response.map(({ _id }) => _id)).size, response.length)
      assert.ok(response.every(({ active }) => active))
      pagesRead += 1
    }
  })
  assert.ok(pagesRead >= 10, `only ${pagesRead} pages were read`)
})

for (const query of [{}, { genre: 'Steady' }, { q: 'stays' }])
  test(`a walk by cursor meets what stays exactly once while the rest changes, ${JSON.stringify(query)}`, async () => {
    const { videos } = api.as('read_only')
    await whileWriting(async (signal) => {
      while (!signal.aborted) {
        const seen: string[] = []
        for await (const { _id } of videos.all({ ...query, per_page: 40, response_fields: ['_id'] }))
          seen.push(_id)
        assert.equal(new Set(seen).size, seen.length)
        assert.equal(seen.filter((id) => id.startsWith('aaaa')).length, staying)
      }
    })
  })

for (const format of formats)
  test(`when the writers rest, the number of pages is what the database holds (${format})`, async () => {
    for (const active of [true, false, 'all'] as const) {
      const [row] = await api.database.db<{ count: string }[]>`
        select count(*) from videos where site_id = ${api.channel.channel._id} and deleted_at is null
          and (${active === 'all'} or active = ${active === true})
      `
      const { pagination } = await api.as('admin', format).videos.list({ active, per_page: 1 })
      assert.equal(pagination.pages, Number(row?.count))
    }
  })
