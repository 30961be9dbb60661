import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient, followEvents } from './index.js'

const channelId = '65f0c0ffee0123456789abcd'

test('a stream of events that breaks continues after the last event, and ends when it is left', async (t) => {
  const { url, seen } = await startServer(t, (reply, _seen, count) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write('retry: 1\n\n: a comment\n\n')
    // An event may arrive in pieces.
    reply.write(`id: e${count}\nevent: video.created\ndata: {"_id":"e${count}",`)
    setTimeout(() => reply.end('"type":"video.created"}\n\n'), 5)
  })
  const events = await new Promise<string[]>((resolve) => {
    const found: string[] = []
    const stop = followEvents({ url, channelId, query: { type: 'video.*' }, after: 'e0' }, ({ _id }) => {
      found.push(_id)
      if (found.length < 3) return
      stop()
      resolve(found)
    })
  })
  assert.deepEqual(events, ['e1', 'e2', 'e3'])
  assert.deepEqual(
    seen.slice(0, 3).map(({ headers }) => headers['last-event-id']),
    ['e0', 'e1', 'e2'],
  )
  assert.equal(seen[0]?.url, `/events?type=video.*&channel_id=${channelId}`)
})

test('a caller of a write gets the ids of its events', async (t) => {
  const { url } = await startServer(t, (reply, _seen, count) =>
    json(reply, 200, { response: { _id: channelId } }, count === 1 ? { 'event-id': 'b, a' } : {}),
  )
  const { videos } = createClient({ url, apiKey: 'key' })
  const found: (readonly string[])[] = []
  const options = { onEvents: (ids: readonly string[]) => void found.push(ids) }
  await videos.update(channelId, { title: 'x' }, options)
  await videos.update(channelId, { title: 'x' }, options)
  assert.deepEqual(found, [['b', 'a'], []])
})
