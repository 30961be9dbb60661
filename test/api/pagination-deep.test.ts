import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalog, sortFields } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

type Row = Readonly<Record<string, unknown>> & { readonly _id: string; readonly active: boolean }

let api: TestApi
let all: Row[]
before(async () => {
  api = await startApi()
  const site = api.channel.channel._id
  // 3,000 videos over sixty days and 2,000 within one minute. Some are hidden, some are deleted.
  await api.database.db`
    insert into videos (_id, site_id, title, friendly_title, active, deleted_at, status, episode, season, duration,
      rating, request_count, published_at, updated_at, created_at)
    select lpad(to_hex(n * 7919 % 100003), 24, '0'), ${site}, 'Ü ' || md5(n::text), 'v-' || n, n % 7 <> 0,
      case when n % 97 = 0 then now() end, case when n % 97 = 0 then 'deleted' else 'created' end,
      case when n % 3 > 0 then n % 50 / 4.0 end, case when n % 5 > 0 then n % 9 end, n % 500, n % 11 / 2.2, n % 3,
      '2023-06-01'::timestamptz + n % 1000 * interval '1 hour',
      '2024-06-01'::timestamptz + n % 800 * interval '1 second',
      case when n <= 3000 then '2024-01-01'::timestamptz + n * interval '29 minutes'
        else '2024-02-10 12:34:00'::timestamptz + n % 60 * interval '1 second' end
    from generate_series(1, 5000) as n
  `
  all = await api.database.db<Row[]>`select * from videos where site_id = ${site} and deleted_at is null`
})
after(() => api.stop())

/** Compares as the database does: text by bytes, nulls first, the id last. */
function compare(name: string, a: Row, b: Row): number {
  const [x, y] = [a[name] ?? -1, b[name] ?? -1]
  if (typeof x === 'string')
    return Buffer.compare(Buffer.from(x), Buffer.from(String(y))) || (a._id < b._id ? -1 : 1)
  return Number(x) - Number(y) || (a._id < b._id ? -1 : 1)
}

function expected(sort: string, order: 'asc' | 'desc', shown: (row: Row) => boolean): string[] {
  const ids = all
    .filter(shown)
    .sort((a, b) => compare(sort, a, b))
    .map(({ _id }) => _id)
  return order === 'asc' ? ids : ids.reverse()
}

const shownBy = { true: (row: Row) => row.active, false: (row: Row) => !row.active, all: () => true } as const

for (const active of ['true', 'false', 'all'] as const)
  for (const order of ['asc', 'desc'] as const)
    test(`pages all over a long list are exact, active=${active}, ${order}`, async () => {
      const ids = expected('created_at', order, shownBy[active])
      const pages = Math.ceil(ids.length / 100)
      const query = `api_key=${api.channel.keys.admin}&sort=created_at&order=${order}&active=${active}&per_page=100`
      for (const page of [0, 1, 4, 5, 6, 9, 14, 19, 20, 26, 33, pages - 2, pages - 1, pages]) {
        const { body } = await ask(`${api.url}/videos?${query}&page=${page}&response_fields=_id`)
        assert.equal(body.pagination.pages, pages)
        assert.deepEqual(
          body.response.map(({ _id }) => _id),
          ids.slice(page * 100, page * 100 + 100),
          `page ${page}`,
        )
      }
    })

test('small pages deep in one crowded minute are exact', async () => {
  const ids = expected('created_at', 'desc', shownBy.true)
  for (const page of [0, 49, 50, 51, 150, 163, 164, 400, 599, 600, 601]) {
    const { body } = await ask(
      `${api.url}/videos?api_key=${api.channel.keys.read_only}&per_page=7&page=${page}&response_fields=_id`,
    )
    assert.deepEqual(
      body.response.map(({ _id }) => _id),
      ids.slice(page * 7, page * 7 + 7),
      `page ${page}`,
    )
  }
})

for (const sort of sortFields(catalog.videos))
  for (const order of ['asc', 'desc'] as const)
    test(`sort=${sort} ${order} orders the whole list, by page and by cursor`, async () => {
      const ids = expected(sort, order, shownBy.true)
      const { videos } = api.as('admin')
      const query = { sort: sort as 'title', order, per_page: 100, response_fields: ['_id'] as const }
      for (const page of [0, 21]) {
        const { response } = await videos.list({ ...query, page })
        assert.deepEqual(
          response.map(({ _id }) => _id),
          ids.slice(page * 100, page * 100 + 100),
        )
      }
      const walked: string[] = []
      let place = await videos.list({ ...query, page: 39 })
      for (;;) {
        walked.push(...place.response.map(({ _id }) => _id))
        const cursor = place.pagination.next_cursor
        if (!cursor) break
        place = await videos.list({ ...query, cursor })
      }
      assert.deepEqual(walked, ids.slice(3900))
    })

test('counts stay exact after list changes are folded', async () => {
  const before = await ask(`${api.url}/videos?api_key=${api.channel.keys.admin}&per_page=100&page=20`)
  await api.database.db`select fold_list_changes(100000)`
  const node = await api.startNode()
  const { body } = await ask(`${node.url}/videos?api_key=${api.channel.keys.admin}&per_page=100&page=20`)
  await node.stop()
  assert.deepEqual(body, before.body)
})

test('pages of a long playlist are exact in both directions, and after changes', async () => {
  const { playlists } = api.as('admin')
  const { _id } = await playlists.create({ title: 'Long' })
  await api.database.db`
    insert into playlist_videos (site_id, playlist_id, video_id, shown)
    select site_id, ${_id}, member, shown from (
      select site_id, _id as member, active and deleted_at is null as shown from videos
      where site_id = ${api.channel.channel._id} order by _id
    ) as members
  `
  const check = async (ids: readonly string[]) => {
    for (const order of ['asc', 'desc'] as const) {
      const ordered = order === 'asc' ? ids : ids.toReversed()
      for (const page of [0, 3, 19, 20, 21, 24, 33, 41, 42, 43]) {
        const query = `api_key=${api.channel.keys.admin}&order=${order}&per_page=100&page=${page}&response_fields=_id`
        const { body } = await ask(`${api.url}/playlists/${_id}/videos?${query}`)
        assert.equal(body.pagination.pages, Math.ceil(ids.length / 100))
        const shown = body.response.map((video) => video._id)
        assert.deepEqual(shown, ordered.slice(page * 100, page * 100 + 100), `${order} ${page}`)
      }
    }
  }
  const ids = expected('_id', 'asc', shownBy.true)
  assert.ok(ids.length > 4200)
  await check(ids)
  const gone = [ids[0] ?? '', ids[2050] ?? '']
  await playlists.removeVideos(_id, { video_id: gone })
  await check(ids.filter((id) => !gone.includes(id)))
})
