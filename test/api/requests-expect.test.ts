import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../support/api.js'
import { closing, opening } from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

/** Sends the body after a 100 Continue. Returns every status received, and how the connection ended. */
async function sendWaiting(method: string, path: string, body: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(api.url)
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const sending = request({
    ...{ hostname, port, path, method, agent: false },
    headers: { ...length, ...headers, expect: '100-continue', connection: 'keep-alive' },
  })
  const statuses: number[] = []
  sending.on('continue', () => {
    statuses.push(100)
    sending.end(body)
  })
  sending.flushHeaders()
  const [reply] = (await once(sending, 'response')) as [IncomingMessage]
  statuses.push(reply.statusCode ?? 0)
  reply.resume()
  await once(reply, 'end')
  sending.destroy()
  return { statuses, connection: reply.headers.connection }
}

const json = { 'content-type': 'application/json' }
const multipart = { 'content-type': 'multipart/form-data; boundary=border' }
const video = JSON.stringify({ title: 'Waiting' })
const film = `${opening()}some film${closing}`
const tus = {
  'tus-resumable': '1.0.0',
  'upload-offset': '0',
  'content-type': 'application/offset+octet-stream',
}
const nobody = 'f'.repeat(24)

const refused: readonly (readonly [
  about: string,
  status: number,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
])[] = [
  ['a wrong key in a header', 401, 'POST', '/videos', video, { ...json, 'x-api-key': 'wrong' }],
  ['a wrong key in the address', 401, 'POST', '/videos?api_key=wrong', video, json],
  ['a wrong token', 401, 'POST', '/videos', video, { ...json, authorization: 'Bearer wrong' }],
  ['a film with a wrong key', 401, 'POST', '/uploads', film, { ...multipart, 'x-api-key': 'wrong' }],
  ['a film for a new video with a wrong key', 401, 'POST', '/videos?api_key=wrong', film, multipart],
  ['a wrong upload token', 401, 'POST', '/uploads/tus', 'film', { ...tus, 'x-upload-token': 'wrong' }],
  ['an upload that nobody began', 404, 'PATCH', `/uploads/tus/${nobody}`, 'film', tus],
]
for (const [about, status, ...asked] of refused)
  test(`a client that waits to send its body gets the final status at once: ${about}`, async () => {
    const { statuses, connection } = await sendWaiting(...asked)
    assert.deepEqual(statuses, [status])
    assert.equal(connection, 'close')
  })

test('a body announced as too large is not sent', async () => {
  const headers = { ...json, 'x-api-key': api.channel.keys.admin, 'content-length': '2000000' }
  const { statuses } = await sendWaiting('POST', '/videos', '', headers)
  assert.deepEqual(statuses, [413])
})

test('a body is sent after 100, with the key in any place', async () => {
  const { admin } = api.channel.keys
  const key = { 'x-api-key': admin }
  const inside = JSON.stringify({ title: 'Waiting', api_key: admin })
  for (const [path, body, headers] of [
    ['/videos', video, { ...json, ...key }],
    ['/videos', inside, json],
    ['/uploads', film, { ...multipart, ...key }],
    ['/videos', film, { ...multipart, ...key }],
  ] as const) {
    const { statuses, connection } = await sendWaiting('POST', path, body, headers)
    assert.deepEqual(statuses, [100, 201])
    assert.equal(connection, 'keep-alive')
  }
  const wrong = JSON.stringify({ title: 'Waiting', api_key: 'wrong' })
  assert.deepEqual((await sendWaiting('POST', '/videos', wrong, json)).statuses, [100, 401])
})
