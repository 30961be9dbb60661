import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeClip } from '../support/clip.js'
import { serveRanges } from '../support/film-server.js'
import { type ImportGround, openImports } from '../support/imports.js'
import { untilPrepared } from '../support/media.js'

let ground: ImportGround
let film: Buffer
before(async () => {
  ground = await openImports()
  film = await readFile(await makeClip())
})
after(() => ground.stop())
afterEach(async () => {
  await ground.api.database.db`delete from videos`
})

const large = randomBytes(3_000_000)

test('a film at an address becomes a video that plays', async () => {
  const { api, films, start, untilEnded, storedFilm, uploadsLeft } = ground
  films.answer((request, reply) => serveRanges(film, request, reply))
  const made = await start('/The%20Horse%20in%20Motion.mp4?signature=secret')
  assert.equal(made.title, 'The Horse in Motion')
  const waiting = await api.as('admin').videos.get(made.video_id ?? '')
  assert.ok(['uploading', 'processing'].includes(waiting.status))

  const ended = await untilEnded(made)
  assert.deepEqual(
    [ended.status, ended.status_reason, ended.progress, ended.bytes, ended.total_bytes, ended.attempts],
    ['ready', null, 100, film.length, film.length, 1],
  )
  const video = await untilPrepared(api, made.video_id ?? '')
  assert.deepEqual([video.status, video.title, video.duration], ['ready', 'The Horse in Motion', 2])
  const { duration, etag } = await api.as('admin').video_imports.get(made._id)
  assert.deepEqual([Math.round(duration ?? 0), etag], [2, '"one"'])
  assert.equal(video.source_url, null)
  assert.deepEqual(await storedFilm(made.video_id), film)
  assert.equal(await uploadsLeft(), 0)
})

test('the films of a feed become videos that play', async () => {
  const { api, films, untilEnded } = ground
  const page = `<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Feed</title><item><guid>one</guid><title>One</title><media:content url="/one.mp4"/></item></channel></rss>`
  films.answer((request, reply) =>
    request.url === '/feed.xml' ? reply.end(page) : serveRanges(film, request, reply),
  )
  const { video_sources, video_imports } = api.as('admin')
  const { _id } = await video_sources.create({ type: 'mrss', url: `${films.url}/feed.xml` })
  let [made] = (await video_imports.list({ video_source_id: _id })).response
  for (let tries = 0; tries < 6000 && !made; tries += 1) {
    await delay(25)
    made = (await video_imports.list({ video_source_id: _id })).response[0]
  }
  const ended = await untilEnded(made ?? assert.fail('nothing was imported'))
  const video = await untilPrepared(api, ended.video_id ?? '')
  assert.deepEqual([video.title, video.duration, video.mrss_id], ['One', 2, 'one'])
  await video_sources.remove(_id)
})

test('a cut connection is continued where it was, if the server answers ranges', async () => {
  const { films, start, untilEnded, storedFilm } = ground
  films.answer((request, reply, count) =>
    serveRanges(large, request, reply, count < 2 ? { cutAfter: 1_200_000 } : {}),
  )
  const ended = await untilEnded(await start())
  assert.deepEqual([ended.status, ended.attempts], ['ready', 3])
  assert.equal(films.ranges[0], undefined)
  assert.ok(
    films.ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? '')),
    String(films.ranges),
  )
  assert.deepEqual(await storedFilm(ended.video_id), large)
})

test('a film that changed meanwhile is fetched from the start', async () => {
  const { films, start, untilEnded, storedFilm } = ground
  const other = randomBytes(2_000_000)
  films.answer((request, reply, count) =>
    count === 0
      ? serveRanges(large, request, reply, { cutAfter: 1_500_000 })
      : serveRanges(other, request, reply, { etag: '"two"' }),
  )
  const ended = await untilEnded(await start())
  assert.equal(ended.status, 'ready')
  assert.deepEqual(await storedFilm(ended.video_id), other)
})

test('a server that ignores If-Range and sends the rest of another film is detected', async () => {
  const { films, start, untilEnded, storedFilm } = ground
  films.answer((request, reply, count) => {
    if (count === 0) return serveRanges(large, request, reply, { cutAfter: 1_500_000 })
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined) return serveRanges(large, request, reply, { etag: '"two"' })
    const range = `bytes ${first}-${large.length - 1}/${large.length}`
    reply.writeHead(206, { etag: '"two"', 'content-range': range }).end(large.subarray(Number(first)))
  })
  const ended = await untilEnded(await start())
  assert.equal(ended.status, 'ready')
  assert.deepEqual(await storedFilm(ended.video_id), large)
})

test('without ranges or a validator a film is fetched again from the start', async () => {
  const { films, start, untilEnded, storedFilm } = ground
  films.answer((_request, reply, count) => {
    reply.writeHead(200, { 'content-length': large.length })
    if (count > 0) return reply.end(large)
    return reply.write(large.subarray(0, 1_500_000), () => reply.destroy())
  })
  const ended = await untilEnded(await start())
  assert.deepEqual([ended.status, ended.attempts], ['ready', 2])
  assert.deepEqual(films.ranges, [undefined, undefined])
  assert.deepEqual(await storedFilm(ended.video_id), large)
})

test('a film of unknown length has no progress, and arrives', async () => {
  const { films, start, until, untilEnded } = ground
  let send: (() => void) | undefined
  films.answer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/octet-stream' })
    reply.write(film.subarray(0, 1000))
    send = () => reply.end(film.subarray(1000))
  })
  const made = await start()
  const coming = await until(made._id, ({ bytes }) => bytes > 0)
  assert.deepEqual([coming.status, coming.progress, coming.total_bytes], ['downloading', null, null])
  send?.()
  assert.deepEqual((await untilEnded(made)).total_bytes, film.length)
})

test('a server that is overloaded is asked again, when it says so', async () => {
  const { films, start, until, untilEnded } = ground
  films.answer((request, reply, count) =>
    count === 0 ? reply.writeHead(503, { 'retry-after': '2' }).end() : serveRanges(film, request, reply),
  )
  const made = await start()
  const waiting = await until(made._id, ({ status_reason }) => status_reason !== null)
  assert.deepEqual(
    [waiting.status, waiting.status_reason],
    ['downloading', 'The server that has the file answered 503 Service Unavailable.'],
  )
  const ended = await untilEnded(made)
  assert.deepEqual([ended.status, ended.status_reason, ended.attempts], ['ready', null, 2])
})

test('retry does not wait for the next attempt', async () => {
  const { api, films, start, until, untilEnded } = ground
  const imports = api.as('admin').video_imports
  films.answer((request, reply, count) =>
    count === 0 ? reply.writeHead(503, { 'retry-after': '3000' }).end() : serveRanges(film, request, reply),
  )
  const made = await start()
  await until(made._id, ({ status_reason }) => status_reason !== null)
  await imports.retry(made._id)
  assert.equal((await untilEnded(made)).status, 'ready')
})

test('after the last attempt it has failed, and a retry goes on with what has arrived', async () => {
  const { api, films, start, until, untilEnded, storedFilm } = ground
  const imports = api.as('admin').video_imports
  films.answer((request, reply) => serveRanges(large, request, reply, { cutAfter: 1_000_000 }))
  const made = await start()
  await until(made._id, ({ attempts, status_reason }) => attempts > 0 && status_reason !== null)
  await api.database.db`update video_imports set failures = 5`
  films.answer((_request, reply) => reply.writeHead(500).end())
  const failed = await untilEnded(made)
  assert.deepEqual(
    [failed.status, failed.status_reason],
    ['failed', 'The server that has the file answered 500 Internal Server Error.'],
  )
  assert.equal((await api.as('admin').videos.get(made.video_id ?? '')).status, 'failed')

  films.answer((request, reply) => serveRanges(large, request, reply))
  await imports.retry(made._id)
  assert.equal((await untilEnded(made)).status, 'ready')
  assert.match(films.ranges[0] ?? '', /^bytes=[1-9]/)
  assert.deepEqual(await storedFilm(made.video_id), large)
})

test('a film longer or shorter than announced is rejected', async () => {
  const { films, start, untilEnded } = ground
  films.answer((request, reply, count) => {
    if (count > 0) return serveRanges(film, request, reply)
    reply.writeHead(200, { 'content-length': film.length + 1000 })
    return reply.write(film, () => reply.socket?.end())
  })
  const ended = await untilEnded(await start())
  assert.deepEqual([ended.status, ended.attempts, ended.bytes], ['ready', 2, film.length])
})

test('cancel stops it, throws away what has arrived, and leaves the video without a film', async () => {
  const { api, films, start, until, untilEnded, storedFilm, uploadsLeft } = ground
  const imports = api.as('admin').video_imports
  let isClosed = false
  films.answer((request, reply) => {
    reply.on('close', () => {
      isClosed = true
    })
    serveRanges(large, request, reply, { pauseMs: 200 })
  })
  const made = await start()
  await until(made._id, ({ progress }) => (progress ?? 0) > 0)
  assert.equal((await imports.cancel(made._id)).status, 'cancelled')
  for (let tries = 0; tries < 2000 && (!isClosed || (await uploadsLeft()) > 0); tries += 1) await delay(25)
  assert.deepEqual([isClosed, await uploadsLeft()], [true, 0])
  assert.equal((await api.as('admin').videos.get(made.video_id ?? '')).status, 'created')

  films.answer((request, reply) => serveRanges(film, request, reply))
  await imports.retry(made._id)
  assert.equal((await untilEnded(made)).status, 'ready')
  assert.deepEqual(await storedFilm(made.video_id), film)
})

test('a worker that stops leaves an import to the next, which goes on where it was', async () => {
  const { api, films, start, until, untilEnded, storedFilm } = ground
  const imports = api.as('admin').video_imports
  films.answer((request, reply) => serveRanges(large, request, reply, { pauseMs: 100 }))
  const made = await start()
  await until(made._id, ({ bytes }) => bytes > 0)
  await ground.stopWorker()
  const between = await imports.get(made._id)
  assert.equal(between.status, 'downloading')

  films.answer((request, reply) => serveRanges(large, request, reply))
  ground.startWorker()
  assert.equal((await untilEnded(made)).status, 'ready')
  assert.match(films.ranges[0] ?? '', /^bytes=[1-9]/)
  assert.deepEqual(await storedFilm(made.video_id), large)
})

test('a video that was removed meanwhile ends its import', async () => {
  const { api, films, start, until, untilEnded } = ground
  films.answer((request, reply) => serveRanges(large, request, reply, { pauseMs: 200 }))
  const made = await start()
  await until(made._id, ({ bytes }) => bytes > 0)
  await api.as('admin').videos.remove(made.video_id ?? '')
  const ended = await untilEnded(made)
  assert.deepEqual([ended.status, ended.status_reason], ['cancelled', 'Its video was removed.'])
  assert.equal((await api.as('admin').videos.restore(made.video_id ?? '')).status, 'created')
})

test('a video gets another film from an address, and keeps its id and the film it has until then', async () => {
  const { api, films } = ground
  films.answer((request, reply) => serveRanges(film, request, reply))
  const { videos } = api.as('admin')
  const made = await videos.create({ title: 'Mine', source_url: `${films.url}/one.mp4` })
  assert.deepEqual([made.status, made.source_url, made.title], ['uploading', null, 'Mine'])
  let video = await videos.get(made._id)
  for (let tries = 0; tries < 6000 && video.status !== 'ready'; tries += 1) {
    await delay(25)
    video = await videos.get(made._id)
  }
  const longer = await readFile(await makeClip({ seconds: 4 }))
  films.answer((request, reply) => serveRanges(longer, request, reply))
  const changed = await videos.update(made._id, { source_url: `${films.url}/two.mp4` })
  assert.deepEqual([changed._id, changed.status, changed.source_url], [made._id, 'ready', null])
  for (let tries = 0; tries < 6000 && video.duration !== 4; tries += 1) {
    await delay(25)
    video = await videos.get(made._id)
  }
  assert.deepEqual([video.status, video.duration], ['ready', 4])
})
