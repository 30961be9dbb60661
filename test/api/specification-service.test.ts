import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formats, startApi, type TestApi } from '../support/api.js'
import { ask } from './ask.js'

let api: TestApi
let key: string
before(async () => {
  api = await startApi()
  key = `api_key=${api.channel.keys.admin}`
})
after(() => api.stop())

const nobody = 'f'.repeat(24)
const bodies = {
  json: { headers: { 'content-type': 'application/json' }, body: '{"video":{"title":"Dune"}}' },
  xml: { headers: { 'content-type': 'text/xml' }, body: '<video><title>Dune</title></video>' },
} as const

for (const format of formats) {
  test(`1 the service gives access to managing videos and their metadata (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Dune', genre: 'Drama', keywords: ['sand'] })
    await videos.update(made._id, { genre: 'Science fiction' })
    const read = await videos.get(made._id)
    assert.deepEqual([read.title, read.genre, read.keywords], ['Dune', 'Science fiction', ['sand']])
  })

  test(`1 POST creates a resource within a collection (${format})`, async () => {
    const { status, body } = await ask(`${api.url}/videos?${key}`, format, {
      method: 'POST',
      ...bodies[format],
    })
    assert.equal(status, 201)
    const listed = await api.as('admin').videos.list({ id: String(body.response._id) })
    assert.deepEqual(
      listed.response.map(({ title }) => title),
      ['Dune'],
    )
  })

  test(`1 GET gets a resource (${format})`, async () => {
    const made = await api.as('admin').videos.create({ title: 'One' })
    const { status, body } = await ask(`${api.url}/videos/${made._id}?${key}`, format)
    assert.equal(status, 200)
    assert.deepEqual(body, { response: made })
  })

  test(`1 GET gets a collection of resources (${format})`, async () => {
    const made = await api.as('admin').videos.create({ title: 'One of many' })
    const { status, body } = await ask(`${api.url}/videos?${key}`, format)
    assert.equal(status, 200)
    assert.deepEqual(body.response[0], made)
  })

  test(`1 PUT updates a resource (${format})`, async () => {
    const { videos } = api.as('admin')
    const made = await videos.create({ title: 'Before' })
    const { status, body } = await ask(`${api.url}/videos/${made._id}?${key}`, format, {
      method: 'PUT',
      ...bodies[format],
    })
    assert.equal(status, 200)
    const read = await videos.get(made._id)
    assert.deepEqual(body.response, read)
    assert.deepEqual(read, { ...made, title: 'Dune', updated_at: read.updated_at })
  })

  test(`1 DELETE deletes a resource (${format})`, async () => {
    const { videos } = api.as('admin', format)
    const made = await videos.create({ title: 'Gone' })
    const { status, text } = await ask(`${api.url}/videos/${made._id}?${key}`, format, { method: 'DELETE' })
    assert.deepEqual([status, text], [204, ''])
    await assert.rejects(videos.get(made._id), { status: 404 })
    assert.deepEqual((await videos.list({ id: made._id })).response, [])
  })

  test(`2.3 an error carries the string message, a detail for people (${format})`, async () => {
    const { body } = await ask(`${api.url}/videos/${nobody}?${key}`, format)
    assert.equal(typeof body.message, 'string')
    assert.equal(body.message, 'Video not found')
  })

  test(`7 200 when the request was processed (${format})`, async () => {
    assert.equal((await ask(`${api.url}/videos?${key}`, format)).status, 200)
  })

  test(`7 401 when no API key was provided (${format})`, async () => {
    const { status, body } = await ask(`${api.url}/videos`, format)
    assert.deepEqual([status, body.message], [401, 'Invalid or missing authentication.'])
  })

  test(`7 401 when the key provided is invalid (${format})`, async () => {
    const { status, body } = await ask(`${api.url}/videos?api_key=wrong`, format)
    assert.deepEqual([status, body.message], [401, 'Invalid or missing authentication.'])
  })

  for (const method of ['GET', 'PUT', 'DELETE'])
    test(`7 404 when the resource that ${method} operates on does not exist (${format})`, async () => {
      const init = { method, ...(method === 'PUT' ? bodies[format] : {}) }
      const { status, body } = await ask(`${api.url}/videos/${nobody}?${key}`, format, init)
      assert.deepEqual([status, body.message], [404, 'Video not found'])
    })

  test(`7 422 when a validation rule failed (${format})`, async () => {
    await assert.rejects(api.as('admin', format).videos.create({ title: '' }), {
      status: 422,
      message: 'Could not save video: title must not be empty.',
      errors: { title: ['must not be empty'] },
    })
  })
}

test('1 the default payload format is JSON', async () => {
  const { headers, text } = await ask(`${api.url}/videos?${key}`)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(typeof JSON.parse(text), 'object')
})

test('1 a client that sends the Content-Type text/xml gets XML', async () => {
  const { headers, text } = await ask(`${api.url}/videos?${key}`, 'xml')
  assert.match(headers.get('content-type') ?? '', /^(text|application)\/xml/)
  assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?><result><response type="array"><video><_id>/)
})
