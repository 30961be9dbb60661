import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { until } from '../../../../test/support/patience.js'
import { openDoor } from '../../../../test/support/tcp-door.js'
import { openDatabase } from './database.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
before(async () => {
  clone = await cloneDatabase()
})
after(() => clone.drop())

test('a listener whose listening failed hears nothing later; the one that tries again hears each message once', async () => {
  const gate = await openDoor(clone.connection)
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
  await gate.close()
})
