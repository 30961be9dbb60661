/** Everything that a proxy can break works through nginx with the configuration from the guide. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import * as tus from 'tus-js-client'
import { attemptLimits } from '../../packages/server/src/auth/limits.js'
import { closing, opening } from '../api/upload-requests.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { openWorker, untilPrepared, uploadClip } from '../support/media.js'
import { type Nginx, nginxIsMissing, startNginx } from '../support/nginx.js'
import { type Answer, arriving, callsThrough } from '../support/nginx-calls.js'
import { until } from '../support/patience.js'
import { addPublisher, password } from '../support/publishers.js'

const skip = nginxIsMissing()

let api: TestApi
let nginx: Nginx
let key: Record<string, string>
before(async () => {
  if (skip) return
  // The clients of these tests use other local addresses, which are not trusted.
  api = await startOwnApi({ trustedProxies: ['127.0.0.1'] })
  key = { 'x-api-key': api.channel.keys.admin }
  nginx = await startNginx(api.url)
})
after(async () => {
  await nginx?.stop()
  await api?.stop()
})

const { open, answerTo, ask } = callsThrough(() => nginx)

const multipart = { 'content-type': 'multipart/form-data; boundary=border' }
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function storedDigest(video_id: string): Promise<string> {
  const [source] = await api.database.db`select sha256 from sources where video_id = ${video_id}`
  return source?.sha256
}

test('a large upload in one request reaches the server while it is being sent', { skip }, async () => {
  const film = randomBytes(20_000_000)
  await arriving(async (requests) => {
    const sending = open('POST', '/uploads', { headers: { ...key, ...multipart } })
    const answering = answerTo(sending)
    sending.write(opening())
    sending.write(film.subarray(0, 10_000_000))
    await until('the first half of the film', () => (requests[0]?.socket.bytesRead ?? 0) > 8_000_000)
    sending.end(Buffer.concat([film.subarray(10_000_000), Buffer.from(closing)]))
    const { status, json } = await answering
    assert.equal(status, 201, json?.message)
    assert.equal(await storedDigest(json.response._id), digestOf(film))
  })
  assert.doesNotMatch(await nginx.log(), /temporary file/)
})

test('a client that keeps sending can read why it is refused', { skip }, async () => {
  const headers = { ...multipart, 'content-length': '20000000' }
  for (const [credential, status] of [
    ['wrong', 401],
    [api.channel.keys.read_only, 403],
  ] as const) {
    const sending = open('POST', '/uploads', { headers: { ...headers, 'x-api-key': credential } })
    sending.on('error', () => {})
    const answering = answerTo(sending)
    sending.write(opening())
    sending.end(Buffer.alloc(19_000_000))
    const answer = await answering
    assert.equal(answer.status, status, answer.body.toString())
    assert.ok(answer.json.message)
  }
})

test('an upload by tus goes on where its connection was cut', { skip }, async () => {
  const film = randomBytes(6_000_000)
  const headers = { 'tus-resumable': '1.0.0' }
  const begun = await ask('POST', '/uploads/tus', {
    headers: { ...headers, ...key, 'upload-length': String(film.length) },
  })
  assert.equal(begun.status, 201, begun.json?.message)
  const place = begun.headers.location ?? ''
  const offset = async () => Number((await ask('HEAD', place, { headers })).headers['upload-offset'])
  const piece = (at: number, length: number) =>
    open('PATCH', place, {
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(at),
        'content-length': String(length),
      },
    })

  await arriving(async (requests) => {
    const cut = piece(0, film.length).on('error', () => {})
    cut.write(film.subarray(0, 3_000_000))
    await until('the beginning of the film', () => (requests[0]?.socket.bytesRead ?? 0) > 2_000_000)
    cut.destroy()
  })
  await until('the offset of what arrived', offset)

  let reply: Answer | undefined
  for (let at = await offset(); at < film.length; at = await offset()) {
    const bytes = film.subarray(at, at + 1_500_000)
    reply = await answerTo(piece(at, bytes.length).end(bytes))
    assert.equal(reply.status, 204, reply.body.toString())
  }
  assert.equal(await storedDigest(String(reply?.headers['x-video-id'])), digestOf(film))
})

test('a tus client uploads in pieces', { skip }, async () => {
  const film = randomBytes(3_000_000)
  let video_id = ''
  await new Promise<void>((resolve, reject) => {
    new tus.Upload(film, {
      endpoint: `${nginx.url}/uploads/tus`,
      headers: key,
      chunkSize: 1_200_000,
      retryDelays: null,
      httpStack: new tus.DefaultHttpStack({ ca: nginx.ca }),
      onAfterResponse: (_request, reply) => {
        video_id = reply.getHeader('x-video-id') ?? ''
      },
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  assert.equal(await storedDigest(video_id), digestOf(film))
})

test('events arrive while their stream is open, in HTTP/1.1 and in HTTP/2', { skip }, async () => {
  const { _id } = await api.as('admin').videos.create({ title: 'Watched' })
  const path = `/videos/${_id}/events?api_key=${api.channel.keys.admin}`
  const texts = ['', '']
  const first = open('GET', path).end()
  first.on('response', (reply) => reply.on('data', (chunk) => (texts[0] += chunk)).on('error', () => {}))
  const session = connect(nginx.url, { ca: nginx.ca })
  const second = session.request({ ':path': path })
  second.on('data', (chunk) => (texts[1] += chunk))
  await until('the first event', () => texts.every((text) => text.includes('"status":"created"')))

  await api.as('admin').videos.remove(_id)

  await until('the event after the change', () => texts.every((text) => text.includes('event: end')))
  first.destroy()
  session.close()
})

test('parts of a film are read by range, and HEAD has the headers of GET', { skip }, async () => {
  const worker = openWorker(api)
  const { _id } = await uploadClip(api, await makeClip(), 'Harbour')
  const video = await untilPrepared(api, _id)
  await worker.stop()
  assert.equal(video.status, 'ready')
  const playlist = await ask('GET', `/manifest/${_id}.m3u8`, { headers: key })
  assert.equal(playlist.status, 200)
  const track = /https?:\/\/[^"\s]+?(\/media\/[^"\s]+\/hls_[^"\s]+)index\.m3u8/.exec(
    String(playlist.body),
  )?.[1]
  const part = `${track}init.mp4`
  const whole = await ask('GET', part)
  assert.equal(whole.status, 200)

  const range = await ask('GET', part, { headers: { range: 'bytes=100-199' } })

  assert.deepEqual(
    [range.status, range.headers['content-range'], range.body],
    [206, `bytes 100-199/${whole.body.length}`, whole.body.subarray(100, 200)],
  )
  const beyond = await ask('GET', part, { headers: { range: 'bytes=99999999-' } })
  assert.equal(beyond.status, 416)
  const head = await ask('HEAD', part)
  assert.deepEqual([head.status, head.body.length], [200, 0])
  for (const name of ['content-length', 'etag', 'accept-ranges', 'content-type'])
    assert.equal(head.headers[name], whole.headers[name], name)
  const known = await ask('GET', part, { headers: { 'if-none-match': String(whole.headers.etag) } })
  assert.equal(known.status, 304)
})

const signIn = (localAddress: string, body: object, headers: Record<string, string> = {}) =>
  ask(
    'POST',
    '/dashboard/api/session',
    { localAddress, headers: { 'content-type': 'application/json', ...headers } },
    JSON.stringify(body),
  )

test('the server counts and shows the address of the client, not of the proxy', { skip }, async () => {
  const { email } = await addPublisher(api, [api.channel, 'owner'])
  const wrong = { email, password: 'not the password' }
  for (let count = 0; count < attemptLimits.account_from_address.most; count += 1)
    // A forged address precedes the client's own in the header, and is ignored.
    assert.equal((await signIn('127.0.0.2', wrong, { 'x-forwarded-for': `198.51.100.${count}` })).status, 401)
  assert.equal((await signIn('127.0.0.2', wrong)).status, 429)

  const { status, headers } = await signIn('127.0.0.3', { email, password })

  assert.equal(status, 200)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const { json } = await ask('GET', '/dashboard/api/sessions', { headers: { cookie } })
  assert.deepEqual(
    json.map(({ address }: { address: string }) => address),
    ['127.0.0.3'],
  )
})

test('the server sees its public host name, and no client can forge one', { skip }, async () => {
  const { email } = await addPublisher(api, [api.channel, 'owner'])
  const { host } = new URL(nginx.url)
  const from = (origin: string, more = {}) =>
    signIn('127.0.0.4', { email, password }, { origin, ...more }).then(({ status }) => status)
  assert.equal(await from(`https://${host}`), 200)
  assert.equal(await from('https://evil.example'), 403)
  assert.equal(await from('https://evil.example', { 'x-forwarded-host': 'evil.example' }), 403)
})

test('long addresses, long headers and long headers of answers pass', { skip }, async () => {
  const long = await ask('GET', `/videos?q=a&x=${'x'.repeat(10_000)}`, { headers: key })
  assert.equal(long.status, 200, long.body.toString())
  const header = await ask('GET', '/videos', { headers: { ...key, 'x-long': 'x'.repeat(10_000) } })
  assert.equal(header.status, 200, header.body.toString())
  const lines = { 'x-long': 'x'.repeat(10_000), 'x-longer': 'x'.repeat(10_000) }
  const tooLong = await ask('GET', '/videos', { headers: { ...key, ...lines } })
  assert.equal(tooLong.status, 413)
  const site = (number: number) => `${number}.${'a-site-that-shows-videos.'.repeat(7)}example`
  const embed_domains = Array.from({ length: 100 }, (_, number) => site(number))
  await api.as('admin').account.update({ embed_domains })
  const { _id } = await api.as('admin').videos.create({ title: 'Embedded' })
  const page = await ask('GET', `/embed/${_id}.html?api_key=${api.channel.keys.player}`, {
    headers: { referer: `https://${site(1)}/` },
    maxHeaderSize: 131_072,
  })
  await api.as('admin').account.update({ embed_domains: [] })
  assert.equal(page.status, 200)
  assert.ok(String(page.headers['content-security-policy']).length > 35_000)
})

test('endpoints for operators are closed, with any spelling of the path', { skip }, async () => {
  for (const name of ['metrics', 'healthz', 'readyz']) {
    const encoded = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
    const suffixes = ['', '/', '.json', '.xml', '.json/', '?x'].map((suffix) => name + suffix)
    for (const path of [...suffixes, encoded, `/${name}`, `x/../${name}`]) {
      const { status } = await ask('GET', `/${path}`)
      assert.ok([403, 404].includes(status), `${path}: ${status}`)
    }
  }
})

const curl = async (...args: readonly string[]) => {
  const { stdout, stderr } = await promisify(execFile)('/usr/bin/curl', [
    '-sv',
    '--cacert',
    nginx.caFile,
    ...args,
  ])
  return {
    statuses: [...stderr.matchAll(/^< HTTP\/[\d.]+ (\d+)/gm)].map(([, status]) => Number(status)),
    stdout,
  }
}

test('curl uploads with Expect: 100-continue, and over HTTP/2', { skip }, async () => {
  const film = randomBytes(2_000_000)
  const path = join(tmpdir(), `${randomBytes(6).toString('hex')}.mp4`)
  await writeFile(path, film)
  const form = ['-H', `X-Api-Key: ${key['x-api-key']}`, '-F', `source=@${path}`, `${nginx.url}/uploads`]
  for (const [version, expected] of [
    [
      ['--http1.1', '-H', 'Expect: 100-continue'],
      [100, 201],
    ],
    [['--http2'], [201]],
  ] as const) {
    const { statuses, stdout } = await curl(...version, ...form)
    assert.deepEqual(statuses, expected, stdout)
    assert.equal(await storedDigest(JSON.parse(stdout).response._id), digestOf(film))
  }
  await rm(path)
})

test('connections to the server are kept from one request to the next', { skip }, async () => {
  await arriving(async (requests) => {
    for (let count = 0; count < 5; count += 1)
      assert.equal((await ask('GET', '/videos', { headers: key })).status, 200)
    const sockets = new Set(requests.map(({ socket }) => socket))
    assert.equal(requests.length, 5)
    assert.ok(sockets.size < 5, `${sockets.size} connections for 5 requests`)
  })
})
