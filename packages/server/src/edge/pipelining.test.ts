import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import { handleInTurn } from './pipelining.js'

const app = Fastify()
const handled: string[] = []
let active = 0
let mostActive = 0
handleInTurn(app)
app.get('/:name', async (request) => {
  active += 1
  mostActive = Math.max(mostActive, active)
  await turn()
  active -= 1
  const { name } = request.params as { name: string }
  handled.push(name)
  return name
})
before(() => app.listen({ port: 0, host: '127.0.0.1' }))
after(() => app.close())

const open = () => connect((app.server.address() as AddressInfo).port, '127.0.0.1')
const requests = (count: number) =>
  Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')

test('requests that are sent ahead are handled one after the other, in their order', async () => {
  const socket = open()
  let answers = ''
  socket.write(requests(50))
  while (!answers.endsWith('\r\n49')) answers += String((await once(socket, 'data'))[0])
  socket.destroy()
  assert.equal(mostActive, 1)
  const expected = Array.from({ length: 50 }, (_, index) => String(index))
  assert.deepEqual(handled, expected)
  assert.deepEqual(answers.match(/(?<=\r\n\r\n)\d+/g), expected)
})

test('a connection with more than a hundred requests ahead is closed', async () => {
  handled.length = 0
  const socket = open().on('error', () => {})
  socket.resume().write(requests(1000))
  await new Promise((resolve) => socket.once('close', resolve))
  assert.ok(handled.length < 1000)
})

test('a connection with more than four bodies ahead is closed', async () => {
  handled.length = 0
  const socket = open().on('error', () => {})
  const post = 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1'
  socket.resume().write(requests(1) + post.repeat(50))
  await new Promise((resolve) => socket.once('close', resolve))
  assert.ok(handled.length < 10)
})
