import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Reply } from '../api/ask.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared } from '../support/media.js'
import { ask, watch } from './stage.js'

/*
 * A script that looks after a library from a server: the admin key in a header, every write in the query string with an
 * empty body that calls itself JSON, or as JSON whose names have brackets; all pages walked from one to the last.
 */

let api: TestApi
let worker: ReturnType<typeof openWorker>
before(async () => {
  api = await startOwnApi()
  worker = openWorker(api)
})
after(async () => {
  await worker.stop()
  await api.stop()
})

const headers = () => ({ 'x-zype-key': api.channel.keys.admin, 'content-type': 'application/json' })
const read = (path: string) => ask(`${api.url}${path}`, 'json', { headers: headers() })

/** Sends a write as the Ruby clients do. */
const write = (
  method: string,
  path: string,
  fields: readonly (readonly [string, string])[] = [],
): Promise<Reply> =>
  ask(`${api.url}${path}?${new URLSearchParams(fields as [string, string][])}`, 'json', {
    method,
    headers: headers(),
  })

/** Sends a write as the Python client does. */
const writeBracketed = (method: string, path: string, fields: object): Promise<Reply> =>
  ask(`${api.url}${path}`, 'json', { method, headers: headers(), body: JSON.stringify(fields) })

const idOf = ({ status, body }: Reply): string => {
  assert.ok(status === 200 || status === 201, body.message)
  assert.match(String(body.response._id), /^[0-9a-f]{24}$/)
  return String(body.response._id)
}

test('it prepares a channel and puts a library in order', async () => {
  assert.equal((await write('PUT', '/account/', [['account[first_page]', '1']])).body.response.first_page, 1)
  const genre = await write('POST', '/categories/', [
    ['category[title]', 'Genre'],
    ['category[values][]', 'Drama'],
    ['category[values][]', 'Sea'],
  ])
  assert.deepEqual(genre.body.response.values, ['Drama', 'Sea'])
  const videos: string[] = []
  for (const episode of ['1', '2', '3', '4', '5'])
    videos.push(
      idOf(
        await write('POST', '/videos', [
          ['video[title]', `Episode ${episode}`],
          ['video[episode]', episode],
          ['video[keywords][]', 'sea'],
          ['video[active]', 'true'],
          ['video[categories_attributes][0][category_id]', idOf(genre)],
          ['video[categories_attributes][0][value][]', 'Sea'],
          ['video[purchase_price]', '4.99'],
        ]),
      ),
    )
  const shown = (await read(`/videos/${videos[0]}/`)).body.response
  assert.deepEqual(
    [shown.episode, shown.keywords, shown.purchase_price, shown.duration, shown.marketplace_ids],
    [1, ['sea'], '4.99', null, {}],
  )
  assert.deepEqual(
    (shown.categories as { title: string; value: string[] }[]).map(({ title, value }) => [title, value]),
    [['Genre', ['Sea']]],
  )

  const list = idOf(await write('POST', '/playlists.json', [['playlist[title]', 'Season']]))
  const added = await write(
    'PUT',
    `/playlists/${list}/add_videos`,
    videos.map((id) => ['video_id[]', id] as const),
  )
  assert.deepEqual([added.body.response.length, added.body.pagination.per_page], [5, 25])
  const left = await write('PUT', `/playlists/${list}/remove_videos`, [['video_id[]', videos[4] as string]])
  assert.equal(left.body.response.length, 4)
  const order = await read(`/playlists/${list}/videos?response_fields=episode`)
  assert.deepEqual(
    order.body.response.map(({ episode }) => episode),
    [1, 2, 3, 4],
  )
})

test('it walks all pages from the first to the last and sees each record once', async () => {
  const seen: unknown[] = []
  let page: number | null = 1
  while (page !== null) {
    const { status, body }: Reply = await read(
      `/videos/?page=${page}&per_page=2&sort=episode&order=asc&active=all`,
    )
    assert.equal(status, 200, body.message)
    seen.push(...body.response.map(({ episode }) => episode))
    assert.deepEqual([body.pagination.current, body.pagination.pages], [page, 3])
    page = body.pagination.next
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5])
  for (const none of ['', '?page=', '?page=0', '?page=1'])
    assert.equal((await read(`/videos${none}`)).body.pagination.current, 1)
  const gone = await read('/videos?title=nothing')
  const { current, previous, next, per_page, pages } = gone.body.pagination
  assert.deepEqual([current, previous, next, per_page, pages], [1, null, null, 10, 0])
})

test('it keeps objects of its own and changes them by nested attributes', async () => {
  const type = await writeBracketed('POST', '/zobject_types', {
    'zobject_type[title]': 'Team',
    'zobject_type[zobject_attributes_attributes]': [
      { field_name: 'city', field_type: 'string' },
      { field_name: 'founded', field_type: 'integer' },
    ],
  })
  assert.equal(type.status, 201, type.body.message)
  const [city] = type.body.response.zobject_attributes as { _id: string; field_name: string }[]
  const changed = await writeBracketed('PUT', `/zobject_types/${type.body.response._id}`, {
    'zobject_type[zobject_attributes_attributes]': [
      { id: city?._id, field_name: 'town' },
      { field_name: 'colour', field_type: 'string' },
    ],
  })
  assert.deepEqual(
    (changed.body.response.zobject_attributes as { field_name: string }[]).map(
      ({ field_name }) => field_name,
    ),
    ['town', 'founded', 'colour'],
  )
  const team = idOf(
    await write('POST', '/zobjects/', [
      ['zobject_type', 'team'],
      ['zobject[title]', 'Rovers'],
      ['zobject[town]', 'Kiel'],
      ['zobject[founded]', '1900'],
      ['zobject[active]', 'true'],
    ]),
  )
  const { body } = await read(`/zobjects/${team}?zobject_type=team`)
  assert.deepEqual([body.response.town, body.response.founded], ['Kiel', 1900])
  assert.equal((await read(`/zobjects/${team}`)).body.response.town, 'Kiel')
})

test('it sells: a plan, a consumer, a subscription, a purchase, and what they open', async () => {
  const plan = idOf(
    await write('POST', '/plans', [
      ['plan[name]', 'Yearly'],
      ['plan[amount]', '49.9'],
      ['plan[currency]', 'EUR'],
      ['plan[interval]', 'year'],
      ['plan[interval_count]', '1'],
      ['plan[entitlement_type]', 'global'],
    ]),
  )
  const consumer = idOf(await write('POST', '/consumers/', [['consumer[email]', 'buyer@example.com']]))
  const subscription = await writeBracketed('POST', '/subscriptions', {
    type: 'third_party',
    subscription: { consumer_id: consumer, plan_id: plan, third_party_id: 'abc' },
  })
  assert.equal(subscription.body.response.payment_provider, 'third_party', subscription.body.message)
  const { response } = (await read(`/videos?sort=episode&order=asc&per_page=1`)).body
  const video_id = String(response[0]?._id)
  const sold = await writeBracketed('POST', '/transactions', {
    provider: 'third_party',
    transaction: {
      consumer_id: consumer,
      video_id,
      transaction_type: 'purchase',
      amount: 4.99,
      currency: 'EUR',
    },
  })
  assert.equal(sold.status, 201, sold.body.message)
  const grants = await read(`/consumers/${consumer}/videos/?page=1`)
  assert.deepEqual(
    grants.body.response.map((grant) => grant.video_id),
    [video_id],
  )
  const shown = (await read(`/consumers/${consumer}`)).body.response
  assert.deepEqual([shown.subscription_count, (shown.subscription_ids as string[]).length], [1, 1])
  assert.equal((await write('PUT', `/subscriptions/${idOf(subscription)}/cancel`)).status, 200)
  assert.equal((await write('DELETE', `/consumers/${consumer}/`)).status, 204)
})

test('it uploads a film, waits until it can be played, and takes it back', async () => {
  const form = new FormData()
  form.set(
    'upload[file]',
    new Blob([await readFile(await makeClip({ seconds: 2, size: '320x180' }))]),
    'film.mp4',
  )
  form.set('upload[title]', 'From a script')
  form.set('upload[active]', 'true')
  const sent = await ask(`${api.url}/uploads?api_key=${api.channel.keys.admin}`, 'json', {
    method: 'POST',
    body: form,
  })
  assert.equal(sent.status, 201, sent.body.message)
  const id = idOf(sent)
  assert.equal((await untilPrepared(api, id)).status, 'ready')
  assert.ok((await watch(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)) > 1000)
  assert.equal((await write('POST', `/videos/${id}`, [['_method', 'delete']])).status, 204)
  assert.equal((await read(`/videos/${id}`)).status, 404)
})
