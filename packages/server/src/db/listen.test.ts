import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { until } from '../../../../test/support/patience.js'
import { openDatabase } from './database.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
before(async () => {
  clone = await cloneDatabase()
})
after(() => clone.drop())

/** A way to PostgreSQL that can be shut: then connections are closed as soon as they are made. */
async function openGate() {
  const { host, port, database, username } = clone.connection
  const open = new Set<Socket>()
  let isShut = false
  const server = createServer((outer) => {
    if (isShut) return void outer.destroy()
    const inner = connect(`${host}/.s.PGSQL.${port}`)
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: number } = server.address() as { port: number }
  return {
    url: `postgres://${username}@127.0.0.1:${number}/${database}`,
    shut(value: boolean) {
      isShut = value
      if (isShut) for (const socket of open) socket.destroy()
    },
    close: () => void server.close(),
  }
}

test('a listener whose listening failed hears nothing later; the one that tries again hears each message once', async () => {
  const gate = await openGate()
  const database = openDatabase({ connection: gate.url, connections: 1 })
  const heard: string[] = []
  const listen = (name: string) =>
    database.listen('news', (message) => {
      if (message !== '') heard.push(`${name} ${message}`)
    })
  gate.shut(true)
  await assert.rejects(listen('first'))
  gate.shut(false)
  await until('a connection on which to listen', () =>
    listen('second').then(
      () => true,
      () => false,
    ),
  )
  await until('a message', async () => {
    await database.db`select pg_notify('news', 'hello')`
    return heard.length > 0
  })
  await database.db`select pg_notify('news', 'last')`
  await until('the last message', () => heard.some((each) => each.endsWith('last')))
  assert.deepEqual(
    heard.filter((each) => each.endsWith('last')),
    ['second last'],
  )
  await database.close()
  gate.close()
})
