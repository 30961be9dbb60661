/**
 * The short form of `npm run lab -- hostile`: every kind of hostile request, whole, slow and reset at several stages,
 * alongside honest ones.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { logged, startOwnApi, type TestApi } from '../support/api.js'
import { type Ending, hostileRequests, type Shot, sendHostile, sizeOf } from '../support/hostile.js'

let api: TestApi
let begun: number
before(async () => {
  // The test exhausts limits that all channels of a server share.
  api = await startOwnApi()
  begun = logged.length
})
after(() => api.stop())

const atOnce = 20
const stages = { small: [0.05, 0.3, 0.6, 0.95], large: [0.01, 0.7] }

const shots: Shot[] = hostileRequests.flatMap((request, index) => [
  { request, index, ending: 'whole', stage: 1 },
  { request, index, ending: 'slow', stage: 0.5 },
  ...stages[sizeOf(request) < 50_000 ? 'small' : 'large'].map(
    (stage) => ({ request, index, ending: 'reset', stage }) as const,
  ),
])

async function attack(): Promise<[string, Ending][]> {
  const endings: [string, Ending][] = []
  const left = [...shots]
  const shootAll = async () => {
    for (let shot = left.pop(); shot; shot = left.pop())
      endings.push([`${shot.request.name}, ${shot.ending}`, await sendHostile(api.url, shot, 300)])
  }
  await Promise.all(Array.from({ length: atOnce }, shootAll))
  return endings
}

test('requests without a credential can neither stop the server nor slow down others', async () => {
  const admin = api.as('admin').videos
  let isOver = false
  let served = 0
  const serve = async () => {
    while (!isOver) {
      const { _id } = await admin.create({ title: `Video ${served}` })
      assert.equal((await api.as('read_only').videos.get(_id)).title, `Video ${served}`)
      served += 1
    }
  }
  const serving = serve()
  const endings = await attack()
  isOver = true
  await serving

  assert.equal(endings.length, shots.length)
  const isFault = (ending: Ending) => typeof ending === 'number' && ending >= 500 && ending !== 503
  assert.deepEqual(
    endings.filter(([, ending]) => isFault(ending)),
    [],
  )
  assert.ok(served > 0)
  assert.equal((await fetch(`${api.url}/readyz`)).status, 200)
  const faults = logged.slice(begun).filter((line) => (JSON.parse(line) as { level: number }).level >= 50)
  assert.deepEqual(faults, [])
})

async function begin(head: string): Promise<Socket> {
  const { port, hostname } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`${head}\r\nHost: a\r\n\r\n`)
  return socket
}
const answerOf = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

test('a large body with a wrong key in a header or in the address is refused before it is sent', async () => {
  const body = 'Content-Type: application/json\r\nContent-Length: 1000000'
  for (const head of [
    `POST /videos HTTP/1.1\r\nX-Api-Key: wrong\r\n${body}`,
    `POST /videos?api_key=wrong HTTP/1.1\r\n${body}`,
    `PUT /videos/${'f'.repeat(24)} HTTP/1.1\r\nAuthorization: Bearer wrong\r\n${body}`,
    `POST /videos HTTP/1.1\r\nX-Api-Key: wrong\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 99999999`,
  ]) {
    const socket = await begin(head)
    assert.match(await answerOf(socket), /^HTTP\/1\.1 401 .*Invalid or missing authentication/s)
    socket.destroy()
  }
})

test('publishers can send bodies while those of strangers exhaust their memory', async () => {
  const strangers: Socket[] = []
  for (let index = 0; index < 8; index += 1) {
    const head = 'POST /videos HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1048000'
    const socket = await begin(head)
    socket.write(Buffer.alloc(1_047_000, ' '))
    strangers.push(socket)
  }
  const description = 'x'.repeat(9000)
  const custom_attributes = Object.fromEntries(
    Array.from({ length: 3 }, (_, index) => [`a${index}`, 'x'.repeat(9000)]),
  )
  const made = await api.as('admin').videos.create({ title: 'Large', description, custom_attributes })
  assert.equal(made.description?.length, 9000)
  for (const socket of strangers) socket.resetAndDestroy()
})

test('a body where none is expected is ignored, and an unknown path returns 404 with any body', async () => {
  const send = (path: string, type: string, body: string, method = 'POST') =>
    fetch(api.url + path, { method, headers: { 'content-type': type }, body }).then(({ status }) => status)
  for (const path of ['/watch/x', '/embed/x.html', `/playlists/${'f'.repeat(24)}/carousel.html`]) {
    assert.equal(await send(path, 'application/x-www-form-urlencoded', 'a=b'), 405, path)
    assert.equal(await send(path, 'application/json', '{"a":'), 405, path)
    assert.equal(await send(path, 'text/strange', 'x'.repeat(2_000_000)), 405, path)
  }
  assert.equal(await send('/nothing', 'application/json', ''), 404)
  assert.equal(await send('/nothing', 'application/json', '{'), 404)
  assert.equal(await send('/healthz', 'application/json', '{'), 404)
})

test('a multipart part without a name is refused with 422, wherever it is sent', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const body = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n'
  for (const [path, expected] of Object.entries({
    '/playlists': 422,
    '/videos': 422,
    '/uploads': 422,
    '/oauth/token': 400,
    '/link': 422,
  })) {
    const reply = await fetch(api.url + path, { method: 'POST', headers, body })
    assert.equal(reply.status, expected, path)
  }
})
