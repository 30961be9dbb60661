import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient } from './index.js'

const id = '65f0c0ffee0123456789abcd'

test('a stream of events that breaks continues after the last event', async (t) => {
  const { url, seen } = await startServer(t, (reply, _seen, count) => {
    if (count === 3) return json(reply, 503, { message: 'Restarting.', code: 'unavailable' })
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write('retry: 1\n\n: a comment\n\n')
    // An event may arrive in pieces.
    reply.write(`id: e${count}\nevent: video.created\ndata: {"_id":"e${count}",`)
    setTimeout(() => reply.end('"type":"video.created"}\n\n'), 5)
  })
  const found: string[] = []
  const { events } = createClient({ url, apiKey: 'key' })
  for await (const event of events.follow({ type: 'video.*' }, { after: 'e0' })) {
    found.push(event._id)
    if (found.length === 3) break
  }
  assert.deepEqual(found, ['e1', 'e2', 'e4'])
  assert.deepEqual(
    seen.map(({ headers }) => headers['last-event-id']),
    ['e0', 'e1', 'e2', 'e2'],
  )
  assert.equal(seen[0]?.url, '/events?type=video.*')
  const { 'x-api-key': key, 'zoetrope-strict': strict } = seen[0]?.headers ?? {}
  assert.deepEqual([key, strict], ['key', '1'])
})

test('a stream that the server refuses throws its reason', async (t) => {
  const { url, seen } = await startServer(t, (reply) =>
    json(reply, 422, { message: 'This event is no longer kept.', code: 'invalid' }),
  )
  const { events } = createClient({ url, apiKey: 'key' })
  const next = events.follow({}, { after: id })[Symbol.asyncIterator]().next()
  await assert.rejects(next, { status: 422, message: 'This event is no longer kept.' })
  assert.equal(seen.length, 1)
})

test('a stream ends with the signal of its reader, and closes its connection', async (t) => {
  const closed: Promise<unknown>[] = []
  const { url } = await startServer(t, (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write('retry: 1\n\n')
    closed.push(once(reply, 'close'))
    setTimeout(() => leaving.abort(new Error('Enough.')), 10)
  })
  const leaving = new AbortController()
  const { events } = createClient({ url, apiKey: 'key' })
  const following = events.follow({}, { signal: leaving.signal })
  const read = async () => {
    for await (const event of following) assert.ok(event)
  }
  await assert.rejects(read(), { message: 'Enough.' })
  assert.equal((await Promise.all(closed)).length, 1)
})

test('following a video ends when nothing more will change', async (t) => {
  const { url, seen } = await startServer(t, (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(
      'id: a\nevent: status\ndata: {"status":"processing","progress":40}\n\nevent: end\ndata: {"status":"ready"}\n\n',
    )
  })
  const found: unknown[] = []
  for await (const news of createClient({ url, apiKey: 'key' }).videos.follow(id)) found.push(news.status)
  assert.deepEqual(found, ['processing', 'ready'])
  assert.deepEqual(
    seen.map((each) => each.url),
    [`/videos/${id}/events`],
  )
})

test('a caller of a write gets the ids of its events', async (t) => {
  const { url } = await startServer(t, (reply, _seen, count) =>
    json(reply, 200, { response: { _id: id } }, count === 1 ? { 'event-id': 'b, a' } : {}),
  )
  const { videos } = createClient({ url, apiKey: 'key' })
  const found: (readonly string[])[] = []
  const options = { onEvents: (ids: readonly string[]) => void found.push(ids) }
  await videos.update(id, { title: 'x' }, options)
  await videos.update(id, { title: 'x' }, options)
  assert.deepEqual(found, [['b', 'a'], []])
})
