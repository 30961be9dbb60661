import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Resource, sortFields } from '@zoetrope/contract'
import { startApi, type TestApi } from '../support/api.js'
import { endpoints } from './access-targets.js'
import { ask, lenient } from './ask.js'
import { targetOf } from './wire-parts.js'

let api: TestApi
let key: Record<string, string>
before(async () => {
  api = await startApi()
  key = { 'x-api-key': api.channel.keys.admin }
})
after(() => api.stop())

const lists = endpoints.filter(({ resource, name }) => name === 'list' && !resource.name.startsWith('own_'))

/** Returns the URL of a list, to which parameters can be added. */
async function addressOf(endpoint: (typeof lists)[number]): Promise<string> {
  const { parentId, grandparentId = '', fields } = await targetOf(api, endpoint)
  const path = endpoint.path.replace(':grandparent_id', grandparentId).replace(':parent_id', parentId)
  const beside = Object.entries(fields).filter(
    ([name]) => endpoint.resource.fields[name]?.beside !== undefined,
  )
  return `${api.url}${path}?${new URLSearchParams(beside as [string, string][])}`
}

const isSortedByName = (resource: Resource) =>
  !Object.hasOwn(resource.fields, 'title') && sortFields(resource).includes('name')

for (const endpoint of lists) {
  const { resource, path } = endpoint
  test(`${path} ignores a sort that names no field, and says so`, async () => {
    const url = await addressOf(endpoint)
    const usual = await ask(url, 'json', { headers: key })
    assert.equal(usual.headers.get('x-notice'), null)
    for (const query of ['sort=no_such_field', 'sort=no_such_field&order=asc', 'sort[]=a%0d%0ab']) {
      const { status, headers, body } = await ask(`${url}&${query}`, 'json', {
        headers: { ...key, ...lenient },
      })
      assert.equal(status, 200, body.message)
      assert.match(headers.get('x-notice') ?? '', /^sort "(no_such_field|a\?\?b)" was ignored/)
      assert.deepEqual(body, usual.body)
    }
    assert.equal((await ask(`${url}&sort=x&order=up`, 'json', { headers: key })).status, 422)
    const unsortable = Object.keys(resource.fields).filter((name) => !sortFields(resource).includes(name))
    const refused = await ask(`${url}&sort=${unsortable.at(-1)}`, 'json', { headers: key })
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['sort']])
  })

  if (isSortedByName(resource))
    test(`${path} takes title for name in sort`, async () => {
      const url = await addressOf(endpoint)
      for (const order of ['asc', 'desc']) {
        const [byTitle, byName] = await Promise.all(
          ['title', 'name'].map((name) =>
            ask(`${url}&sort=${name}&order=${order}`, 'json', { headers: key }),
          ),
        )
        assert.deepEqual([byTitle?.status, byTitle?.headers.get('x-notice')], [200, null])
        assert.deepEqual(byTitle?.body, byName?.body)
      }
    })
}

test('a cached response repeats the notice, and pages of other origins may read it', async () => {
  const address = `${api.url}/videos?sort=popularity&per_page=3`
  for (let round = 0; round < 4; round += 1) {
    const { headers } = await ask(address, 'json', {
      headers: { ...key, ...lenient, origin: 'https://app.example' },
    })
    assert.match(headers.get('x-notice') ?? '', /^sort "popularity"/)
    assert.match(headers.get('access-control-expose-headers') ?? '', /\bX-Notice\b/)
  }
})

test('a playlist keeps its own order when sort names no field', async () => {
  const admin = api.as('admin')
  const videos = []
  for (const title of ['Bee', 'Ant', 'Cat']) videos.push((await admin.videos.create({ title }))._id)
  const { _id } = await admin.playlists.create({ title: 'Animals' })
  const video_id = [videos[1], videos[0], videos[2]] as string[]
  await admin.playlists.addVideos(_id, { video_id })
  for (const path of ['videos?', `videos/relative?anchor_video_id=${videos[1]}&include_anchor=true&`]) {
    const { status, headers, body } = await ask(
      `${api.url}/playlists/${_id}/${path}sort=popularity&order=desc`,
      'json',
      { headers: { ...key, ...lenient } },
    )
    assert.equal(status, 200, body.message)
    assert.match(headers.get('x-notice') ?? '', /^sort "popularity"/)
    assert.deepEqual(
      body.response.map((video) => video._id),
      video_id,
    )
  }
})

test('a filtered list is counted up to 10,000 matches; beyond that pages_exact is false and paging continues', async () => {
  const site = api.other.channel._id
  const headers = { 'x-api-key': api.other.keys.admin }
  await api.database.db`
    insert into pass_plans (_id, site_id, name, amount, currency, active)
    select lpad(to_hex(n), 24, '0'), ${site}, 'Plan ' || n, 1, 'USD', n > 50 from generate_series(1, 10100) as n
  `
  const read = async (query: string) =>
    (await ask(`${api.url}/pass_plans?${query}`, 'json', { headers })).body
  const whole = await read('per_page=100')
  assert.deepEqual([whole.pagination.pages, whole.pagination.pages_exact], [101, undefined])
  const few = await read('per_page=100&active=false')
  assert.deepEqual([few.pagination.pages, few.pagination.pages_exact], [1, undefined])

  const first = await read('per_page=100&active=true')
  assert.deepEqual([first.pagination.pages, first.pagination.pages_exact], [100, false])
  assert.deepEqual([few.pagination.total, first.pagination.total], [few.response.length, 10_000])
  const last = await read('per_page=100&active=true&page=99')
  assert.deepEqual([last.pagination.pages, last.pagination.next], [100, 100])
  const beyond = await read('per_page=100&active=true&page=100')
  assert.deepEqual([beyond.response.length, beyond.pagination.next, beyond.pagination.pages], [50, null, 100])
  const walked = await read(`per_page=100&active=true&cursor=${last.pagination.next_cursor}`)
  assert.deepEqual(walked.response, beyond.response)
  assert.deepEqual([walked.pagination.pages_exact, walked.pagination.next_cursor], [false, null])

  await api.database.db`
    update pass_plans set active = false where site_id = ${site} and _id in (
      select _id from pass_plans where site_id = ${site} and active limit 50
    )
  `
  const exact = await read('per_page=100&active=true')
  assert.deepEqual([exact.pagination.pages, exact.pagination.pages_exact], [100, undefined])
})

test('a filter that most records match is counted once, and every page of it is right', async () => {
  const site = api.other.channel._id
  const headers = { 'x-api-key': api.other.keys.admin }
  await api.database.db`
    insert into consumers (_id, site_id, email, name)
    select lpad(to_hex(n), 24, '0'), ${site}, n || '@example.com', 'Ann ' || n from generate_series(1, 11100) as n
  `
  const read = async (query: string) =>
    (await ask(`${api.url}/consumers?per_page=100&sort=created_at&${query}`, 'json', { headers })).body
  const idsOf = ({ response }: Awaited<ReturnType<typeof read>>) => response.map(({ _id }) => _id)
  for (const page of [0, 0, 57, 110]) {
    const filtered = await read(`created_at.gte=2000-01-01&page=${page}`)
    assert.deepEqual([filtered.pagination.pages, filtered.pagination.pages_exact], [100, false])
    assert.deepEqual(idsOf(filtered), idsOf(await read(`page=${page}`)))
  }
  const last = await read('created_at.gte=2000-01-01&page=111')
  assert.deepEqual([last.response, last.pagination.next], [[], null])
})
