import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import type { FilmAnswer } from '../support/film-server.js'
import { type ImportGround, openImports } from '../support/imports.js'
import { untilPrepared } from '../support/media.js'

let ground: ImportGround
before(async () => {
  ground = await openImports()
})
after(() => ground.stop())
afterEach(async () => {
  await ground.api.database.db`delete from videos`
})

const large = randomBytes(3_000_000)

const refusals: Readonly<Record<string, [FilmAnswer, RegExp]>> = {
  'nothing at the address': [(_request, reply) => reply.writeHead(404).end(), /no file at this address.*404/],
  'a closed door': [(_request, reply) => reply.writeHead(403).end(), /refused to send it \(403 Forbidden\)/],
  'a web page': [
    (_request, reply) =>
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Sign in</h1>'),
    /leads to a web page/,
  ],
  'compressed bytes': [
    (_request, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(large),
    /sends the file compressed/,
  ],
  'an empty file': [(_request, reply) => reply.writeHead(200).end(), /is empty/],
  'a film larger than the limit, announced': [
    (_request, reply) => reply.writeHead(200, { 'content-length': 60_000_000_000 }).write('film'),
    /larger than the limit of 2 GB/,
  ],
  'a redirect to an inner address': [
    (_request, reply) => reply.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    /not on the public internet/,
  ],
  'a redirect to a file': [
    (_request, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /http: or https:/,
  ],
  'redirects without an end': [
    (request, reply) => reply.writeHead(302, { location: `${request.url}x` }).end(),
    /redirects more than 5 times/,
  ],
}
for (const [what, [answer, reason]] of Object.entries(refusals))
  test(`${what} fails the import once, with a reason`, async () => {
    const { api, films, start, untilEnded, uploadsLeft } = ground
    films.answer(answer)
    const ended = await untilEnded(await start())
    assert.equal(ended.status, 'failed')
    assert.match(ended.status_reason ?? '', reason)
    assert.equal(ended.attempts, 1)
    const video = await api.as('admin').videos.get(ended.video_id ?? '')
    assert.equal(video.status, 'failed')
    assert.ok(video.status_reason)
    assert.doesNotMatch(video.status_reason, /169\.254|127\.0\.0\.1/)
    assert.equal(await uploadsLeft(), 0)
  })

test('a file that is not a film is rejected when it is probed', async () => {
  const { films, start, untilEnded } = ground
  films.answer((_request, reply) => reply.end('These are only notes.'))
  const ended = await untilEnded(await start())
  assert.equal(ended.status, 'ready')
  const video = await untilPrepared(ground.api, ended.video_id ?? '')
  assert.match(video.status_reason ?? '', /not a video or audio file/)
})

test("a film beyond the channel's limit is rejected, and viewers do not see that reason", async () => {
  const { api, films, start, untilEnded } = ground
  const { db } = api.database
  films.answer((_request, reply) => reply.end(large))
  await db`update channels set storage_limit = 1000000 where _id = ${api.channel.channel._id}`
  const ended = await untilEnded(await start())
  await db`update channels set storage_limit = null where _id = ${api.channel.channel._id}`
  assert.equal(ended.status, 'failed')
  assert.match(ended.status_reason ?? '', /The channel may keep 1,000,000 bytes/)
  await assert.rejects(api.as('read_only').videos.get(ended.video_id ?? ''), { status: 404 })
})
