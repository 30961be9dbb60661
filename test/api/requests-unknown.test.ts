import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '@zoetrope/sdk'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask, lenient } from './ask.js'

let api: TestApi
let key = ''
before(async () => {
  api = await startApi()
  key = `api_key=${api.channel.keys.admin}`
  await api.as('admin').videos.create({ title: 'One', genre: 'Drama' })
  await api.as('admin').videos.create({ title: 'Two', genre: 'News' })
})
after(() => api.stop())

const post = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { ...lenient, 'content-type': 'application/json' },
})

/** What a request has that is not understood, and what is said about it. */
const reads: readonly (readonly [query: string, notice: RegExp])[] = [
  ['gnre=Drama', /^"gnre" was ignored: there is no such parameter \(did you mean genre\?\)$/],
  ['genre.gte=A', /^"genre.gte" was ignored: genre has the filters genre, genre!$/],
  ['description=x', /^"description" was ignored: videos have no filter for this field$/],
  ['response_fields=titel,genre', /^response_fields "titel" was ignored: videos have no such field \(did you mean title\?\)$/],
  ['sort=tilte', /^sort "tilte" was ignored: videos have no such field \(did you mean title\?\)$/],
] // biome-ignore format: a table

for (const format of formats) {
  for (const [query, notice] of reads)
    test(`${query} is ignored and named, and refused where a request is strict (${format})`, async () => {
      const address = `${api.url}/videos?${key}&${query}`
      // The second answer is kept in memory, and the third is sent from there.
      for (let repeated = 0; repeated < 4; repeated += 1) {
        const { status, headers, body } = await ask(address, format, { headers: lenient })
        assert.deepEqual([status, body.response.length], [200, 2])
        assert.match(headers.get('x-notice') ?? '', notice)
        const strict = await ask(address, format)
        assert.equal(strict.status, 422, 'a kept answer is no answer to a strict request')
        assert.match(strict.body.message, /is not understood: /)
        assert.equal(Object.keys(strict.body.errors).length, 1)
      }
      const asked = await ask(`${address}&strict=true`, format, { headers: lenient })
      assert.equal(asked.status, 422)
      const told = await ask(`${address}&notices=true`, format, { headers: lenient })
      const notices = told.body.notices
      assert.deepEqual(notices.length, 1)
      assert.match(notices[0] ?? '', notice)
    })

  test(`a request that is understood has no notice (${format})`, async () => {
    const { headers, body } = await ask(
      `${api.url}/videos?${key}&genre=Drama&notices=true&_=1733&cb=7`,
      format,
    )
    assert.deepEqual([headers.get('x-notice'), body.notices, body.response.length], [null, [], 1])
  })
}

test('unknown fields of a body are ignored and named, nested ones too, and nothing is written where they are refused', async () => {
  const image = { titel: 'x' }
  const fields = { title: 'Three', titel: 'x', thumbnails: [], images_attributes: [image] }
  const before = (await api.as('admin').videos.list()).pagination.pages
  const refused = await ask(`${api.url}/videos?${key}&strict=1&per_page=1`, 'json', post({ video: fields }))
  assert.equal(refused.status, 422, refused.text)
  assert.deepEqual(Object.keys(refused.body.errors), ['titel', 'per_page', 'images_attributes.titel'])
  assert.match(refused.body.message, /did you mean title\?/)
  assert.equal((await api.as('admin').videos.list()).pagination.pages, before)

  const { status, headers, body } = await ask(
    `${api.url}/videos?${key}&notices=1`,
    'json',
    post({ video: { title: 'Three', titel: 'x' }, other: 1, utf8: '✓', _method: 'post' }),
  )
  assert.equal(status, 201)
  assert.deepEqual(body.notices, [
    '"other" was ignored: there is no such field',
    '"titel" was ignored: there is no such field (did you mean title?)',
  ])
  assert.equal(headers.get('x-notice'), body.notices.join('; '))
  const { _id } = body.response
  const whole = await api.as('admin').videos.get(String(_id))
  const back = await ask(`${api.url}/videos/${_id}?${key}`, 'json', {
    ...post({ response: whole, video: whole }),
    method: 'PUT',
  })
  assert.deepEqual([back.status, back.headers.get('x-notice')], [200, null], 'a record may be sent back')
  const removed = await ask(`${api.url}/videos/${_id}?${key}&dry_runn=1`, 'json', {
    method: 'DELETE',
    headers: lenient,
  })
  assert.match(removed.headers.get('x-notice') ?? '', /^"dry_runn" was ignored/)
})

test('options that are true or false take nothing else, and neither does the header for strictness', async () => {
  const flags = ['include_related_videos', 'expand_related_videos', 'zobject_details', 'manifest', 'dpt']
  for (const name of flags) {
    const { status, body } = await ask(`${api.url}/videos?${key}&${name}=ture`)
    assert.deepEqual([status, body.errors?.[name]], [422, ['must be true or false']], name)
  }
  const headers = { 'zoetrope-strict': 'yess' }
  assert.equal((await ask(`${api.url}/videos?${key}`, 'json', { headers })).status, 422)
})

test('a batch refuses or names unknown fields of its writes', async () => {
  const requests = [{ method: 'POST', path: '/videos', body: { titel: 'x', title: 'In a batch' } }]
  const strict = await ask(`${api.url}/batch?${key}&strict=true`, 'json', post({ batch: { requests } }))
  assert.match(strict.text, /did you mean title/)
  const named = await ask(`${api.url}/batch?${key}`, 'json', post({ batch: { requests } }))
  assert.match(named.headers.get('x-notice') ?? '', /^"titel" was ignored/)
})

test('the header names at most ten, each cut short, whatever the request has', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `${'é'.repeat(300)}${index}=1`)
  const { headers } = await ask(`${api.url}/videos`, 'json', {
    method: 'POST',
    headers: {
      ...lenient,
      'x-api-key': api.channel.keys.admin,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `title=Many&${names.join('&')}`,
  })
  const notice = headers.get('x-notice') ?? ''
  assert.match(notice, /490 more were ignored$/)
  assert.ok(notice.length < 2000, String(notice.length))
})

test('a named key with a limit is told how much is left, and refused beyond it, also where answers are kept', async () => {
  const admin = api.as('admin')
  const fields = { name: 'Limited', scopes: ['videos:read'], requests_per_minute: 5 }
  const made = await admin.keys.create(fields)
  const get = () => ask(`${api.url}/videos?per_page=2&api_key=${made.key}`)
  for (let left = 4; left >= 0; left -= 1) {
    const { status, headers } = await get()
    assert.deepEqual([status, headers.get('ratelimit-policy')], [200, '"key";q=5;w=60'])
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"key";r=${left};t=\\d+$`))
  }
  const { status, body, headers } = await get()
  assert.deepEqual([status, body.code], [429, 'too_many_requests'])
  assert.ok(Number(headers.get('retry-after')) <= 60)
  await admin.keys.update(made._id, { requests_per_minute: null })
  const free = await get()
  assert.deepEqual([free.status, free.headers.get('ratelimit')], [200, null])
})

test('a named key is strict if it says so, and the SDK is unless it is told otherwise', async () => {
  const admin = api.as('admin')
  const made = await admin.keys.create({ name: 'Strict', scopes: ['videos:read'], strict: true })
  const address = `${api.url}/videos?gnre=x&api_key=${made.key}`
  const statusOf = async () => (await ask(address, 'json', { headers: lenient })).status
  assert.equal(await statusOf(), 422)
  await admin.keys.update(made._id, { strict: false })
  for (let repeated = 0; repeated < 3; repeated += 1) assert.equal(await statusOf(), 200)
  await admin.keys.update(made._id, { strict: true })
  assert.equal(await statusOf(), 422)

  const query = { gnre: 'x' } as never
  await assert.rejects(admin.videos.list(query), { status: 422, message: /did you mean genre/ })
  const options = { url: api.url, apiKey: api.channel.keys.admin, strict: false }
  assert.ok((await createClient(options).videos.list(query)).response.length > 0)
})

test('player requests name parameters that are ignored, and refuse them where a request is strict', async () => {
  const admin = api.as('admin')
  const { _id } = await admin.videos.create({ title: 'Played' })
  const named = await admin.keys.create({ name: 'Player', scopes: ['videos:read'], strict: true })
  const read = (path: string, headers: Record<string, string> = lenient) =>
    ask(`${api.url}${path}&${key}`, 'json', { headers })
  for (const [path, notice] of [
    [`/videos/${_id}/player?autplay=true`, /"autplay" was ignored: .*did you mean autoplay/],
    [`/videos/${_id}/player?autoplay=yess`, /autoplay "yess" was ignored: it must be true or false/],
    [`/videos/${_id}/player?color=red`, /color "red" was ignored: it must be a colour such as 2855c5/],
    [`/embed/${_id}?color[toString]=red`, /color .* was ignored: it must be a colour/],
    [`/oembed?url=${api.url}/watch/${_id}&maxwidth[toString]=1`, /maxwidth .* was ignored/],
    [`/videos/${_id}/player?t=soon&width=-1`, /t "soon" .*; width "-1" was ignored/],
    [`/manifest/${_id}.m3u8?tim=1`, /"tim" was ignored/],
    [`/embed/${_id}?colour=2855c5`, /did you mean color/],
    [`/thumbnail/${_id}.jpg?tme=1`, /did you mean time/],
    [`/animated/${_id}.webp?stat=1`, /did you mean start/],
    [`/oembed?url=${api.url}/watch/${_id}&maxwidh=1`, /did you mean maxwidth/],
  ] as const) {
    assert.match((await read(path)).headers.get('x-notice') ?? '', notice, path)
    assert.equal((await read(path, {})).status, 422, path)
    assert.equal((await read(`${path}&strict=true`)).status, 422, path)
  }
  const { headers } = await read(`/videos/${_id}/player?autoplay=true&color=2855c5&t=1m&_=7`)
  assert.equal(headers.get('x-notice'), null)
  const strict = `${api.url}/videos/${_id}/player?autplay=1&api_key=${named.key}`
  assert.equal((await ask(strict, 'json', { headers: lenient })).status, 422)
})
