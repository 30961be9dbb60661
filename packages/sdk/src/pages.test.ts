import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, startServer } from '../test/server.js'
import { createClient } from './index.js'

const titles = ['one', 'two', 'three', 'four', 'five']

/** Answers two titles at a time; the cursor is the place of the next. */
const twoAtATime: Parameters<typeof startServer>[1] = (reply, { url }) => {
  const start = Number(new URL(url, 'http://localhost').searchParams.get('cursor') ?? 0)
  const next_cursor = start + 2 < titles.length ? String(start + 2) : null
  const response = titles.slice(start, start + 2).map((title) => ({ title }))
  json(reply, 200, { response, pagination: { next_cursor } })
}

test('all walks every page by cursor and keeps the query', async (t) => {
  const { url, seen } = await startServer(t, twoAtATime)
  const { videos } = createClient({ url, apiKey: 'key' })

  const found: string[] = []
  for await (const video of videos.all({ featured: true })) found.push(video.title)

  assert.deepEqual(found, titles)
  assert.deepEqual(
    seen.map(({ url }) => url),
    [
      '/videos?per_page=100&featured=true',
      '/videos?per_page=100&featured=true&cursor=2',
      '/videos?per_page=100&featured=true&cursor=4',
    ],
  )
})

test('all requests a page only when its records are needed', async (t) => {
  const { url, seen } = await startServer(t, twoAtATime)
  const { videos } = createClient({ url, apiKey: 'key' })

  const walk = videos.all({ per_page: 2 })
  assert.equal(seen.length, 0)
  for await (const video of walk) if (video.title === 'two') break

  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/videos?per_page=2'],
  )
})

test('all of an empty list is nothing', async (t) => {
  const { url } = await startServer(t, (reply) =>
    json(reply, 200, { response: [], pagination: { next_cursor: null } }),
  )
  for await (const video of createClient({ url, apiKey: 'key' }).videos.all()) assert.fail(video.title)
})

test('all stops when its signal aborts between pages', async (t) => {
  const { url, seen } = await startServer(t, twoAtATime)
  const controller = new AbortController()

  await assert.rejects(
    async () => {
      const walk = createClient({ url, apiKey: 'key' }).videos.all({}, { signal: controller.signal })
      for await (const video of walk) if (video.title === 'two') controller.abort()
    },
    { name: 'AbortError' },
  )

  assert.equal(seen.length, 1)
})
