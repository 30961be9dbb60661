import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'
import { asViewer } from './viewers.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const newVideo = async (fields = {}) =>
  (await api.as('admin').videos.create({ title: 'Rated', ...fields }))._id
const newConsumer = async () =>
  (await api.as('admin').consumers.create({ email: `${Math.random()}@a.example` }))._id
const ratingOf = async (id: string) => (await api.as('admin').videos.get(id)).rating

for (const format of formats)
  test(`a consumer rates a video, and changes their mind (${format})`, async () => {
    const consumer = await api.channel.consumer()
    const { video_ratings } = asViewer(api.url, consumer, format)
    const video_id = await newVideo()
    const made = await video_ratings.create(consumer._id, { video_id, rating: 4.5 })
    assert.deepEqual(
      [made.consumer_id, made.consumer_email, made.video_id, made.rating],
      [consumer._id, consumer.email, video_id, 4.5],
    )
    assert.equal(await ratingOf(video_id), 4.5)
    const again = await video_ratings.create(consumer._id, { video_id, rating: 2 })
    assert.deepEqual([again._id, again.rating, await ratingOf(video_id)], [made._id, 2, 2])
    assert.deepEqual((await video_ratings.list(consumer._id, { video_id })).response, [again])
    for (const rating of [-1, 5.1])
      await assert.rejects(video_ratings.create(consumer._id, { video_id, rating }), { status: 422 })
    await assert.rejects(video_ratings.create(consumer._id, { video_id } as never), { status: 422 })
    const hidden = await newVideo({ active: false })
    const elsewhere = (await api.other.as('admin').videos.create({ title: 'Theirs' }))._id
    for (const unseen of [hidden, elsewhere])
      await assert.rejects(video_ratings.create(consumer._id, { video_id: unseen, rating: 1 }), {
        status: 422,
      })
    await assert.rejects(video_ratings.create(await newConsumer(), { video_id, rating: 1 }), { status: 404 })
  })

test('the mean is exact with concurrent ratings, and when a consumer is removed', async () => {
  const { video_ratings, consumers } = api.as('admin')
  const video_id = await newVideo()
  const raters = await Promise.all(Array.from({ length: 10 }, newConsumer))
  await Promise.all(
    raters.map((id, index) => video_ratings.create(id, { video_id, rating: index % 2 ? 0.1 : 0.3 })),
  )
  assert.equal(await ratingOf(video_id), 0.2)
  const [first = ''] = raters
  await consumers.remove(first)
  await consumers.remove(raters[1] ?? '')
  assert.equal(await ratingOf(video_id), 0.2)
  for (const id of raters.slice(2)) await consumers.remove(id)
  assert.equal(await ratingOf(video_id), null)
})

test('a video that is rated can be removed for good', async () => {
  const video_id = await newVideo()
  await api.as('admin').video_ratings.create(await newConsumer(), { video_id, rating: 1 })
  await api.database.db`delete from videos where _id = ${video_id}`
  assert.equal((await api.database.db`select from video_ratings where video_id = ${video_id}`).length, 0)
})

test('a rating may be sent in the query string with an empty body', async () => {
  const { _id, access_token } = await api.channel.consumer()
  const query = new URLSearchParams({ access_token, video_id: await newVideo(), rating: '3' })
  const { status, body } = await ask(`${api.url}/consumers/${_id}/video_ratings?${query}`, 'json', {
    method: 'POST',
  })
  assert.deepEqual([status, body.response.rating], [201, 3])
})

test('a parental access code can be removed', async () => {
  const { _id, access_token } = await api.channel.consumer()
  const { consumers } = asViewer(api.url, { access_token })
  await consumers.update(_id, { parental_access_code: '1234' })
  assert.equal((await consumers.resetParentalAccessCode(_id)).parental_access_code, null)
})
