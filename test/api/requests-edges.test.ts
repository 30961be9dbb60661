import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { formats, logged, startApi, type TestApi } from '../support/api.js'

let api: TestApi
before(async () => {
  api = await startApi()
  await api.as('admin').videos.create({ title: 'Golden gate bridge' })
})
after(() => api.stop())

for (const format of formats) {
  test(`a search without a letter or a digit is ignored (${format})`, async () => {
    for (const q of [' ', '-', '"'])
      assert.equal((await api.as('admin', format).videos.list({ q })).pagination.pages, 1)
  })

  test(`a title of spaces is empty (${format})`, async () => {
    await assert.rejects(api.as('admin', format).videos.create({ title: '   ' }), {
      status: 422,
      errors: { title: ['must not be empty'] },
    })
  })
}

test('a record read as JSON can be sent back in its envelope', async () => {
  const { videos } = api.as('admin')
  const [video] = (await videos.list()).response
  const reply = await fetch(`${api.url}/videos/${video?._id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': api.channel.keys.admin },
    body: JSON.stringify({ response: { ...video, title: 'Golden gate' } }),
  })
  assert.equal(reply.status, 200)
  assert.equal((await videos.get(video?._id ?? '')).title, 'Golden gate')
})

test('a cached response is logged with its caller', async () => {
  const { videos } = api.as('read_only')
  for (let time = 0; time < 4; time += 1) await videos.list({ per_page: 7 })
  const lines = logged.filter((line) => line.includes('"/videos"')).slice(-4)
  for (const line of lines) assert.equal(JSON.parse(line).caller, 'read_only')
})

test('a 405 names the method that was probably meant', async () => {
  const reply = await fetch(`${api.url}/videos?_method=delete&api_key=${api.channel.keys.admin}`, {
    method: 'POST',
  })
  assert.equal(reply.status, 405)
  assert.match(((await reply.json()) as { message: string }).message, /^DELETE is not possible here/)
})

test('a client that resets its connection causes no error in the log', async () => {
  const begun = logged.length
  const [video] = (await api.as('admin').videos.list()).response
  const { hostname, port } = new URL(api.url)
  const key = `api_key=${api.channel.keys.player}`
  const paths = [`/watch/${video?._id}`, `/embed/${video?._id}?${key}`, `/embed/${video?._id}.html?${key}`]
  const leave = async (path: string, requests: number) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(requests))
    // Some leave before the server has read anything, others while it works.
    if (requests > 1) await new Promise((resolve) => setTimeout(resolve, requests))
    socket.resetAndDestroy()
  }
  for (let round = 0; round < 10; round += 1)
    await Promise.all(paths.flatMap((path) => [1, 2, 4, 8].map((requests) => leave(path, requests))))
  for (const path of paths) await (await fetch(api.url + path)).arrayBuffer()
  const lines = logged.slice(begun).map((line) => JSON.parse(line) as { level: number; status?: number })
  assert.deepEqual(
    lines.filter(({ level, status = 0 }) => level >= 50 || status >= 500),
    [],
  )
})
