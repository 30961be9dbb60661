import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, createClient } from '@zoetrope/sdk'
import { rotateKey } from '../../packages/server/src/auth/keys.js'
import { type Format, formats, startOwnApi, type TestApi } from '../support/api.js'
import { aroundMoment } from '../support/moments.js'
import { xmlFetch } from '../support/xml-fetch.js'
import { ask } from './ask.js'

let api: TestApi
let second: Awaited<ReturnType<TestApi['startNode']>>
before(async () => {
  api = await startOwnApi()
  second = await api.startNode()
})
after(async () => {
  await second.stop()
  await api.stop()
})

const onSecond = (format: Format): Client =>
  createClient({
    url: second.url,
    apiKey: api.channel.keys.admin,
    ...(format === 'xml' ? { fetch: xmlFetch } : {}),
  })

test('the first list that a server reads can have any order', async () => {
  const { status, body } = await ask(`${second.url}/videos?sort=episode&api_key=${api.channel.keys.admin}`)
  assert.equal(status, 200, body.message)
})

/** Polls for at most a second. Returns whether the condition came true. */
async function withinASecond(holds: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + 1000
  while (Date.now() < end) {
    if (await holds()) return true
    await pause(20)
  }
  return holds()
}

const titles = async ({ videos }: Client) =>
  (await videos.list({ per_page: 100 })).response.map(({ title }) => title)

for (const format of formats) {
  test(`a node sees its own writes at once, although lists are cached (${format})`, async () => {
    for (const client of [api.as('admin', format), onSecond(format)])
      for (let n = 0; n < 6; n += 1) {
        const before = await titles(client)
        const { _id } = await client.videos.create({ title: `Own ${n}` })
        assert.deepEqual(await titles(client), [`Own ${n}`, ...before])
        await client.videos.update(_id, { title: `Renamed ${n}` })
        assert.deepEqual(await titles(client), [`Renamed ${n}`, ...before])
        await client.videos.remove(_id)
        assert.deepEqual(await titles(client), before)
      }
  })

  test(`a write on one node is seen on the other within a second (${format})`, async () => {
    const pairs = [
      [api.as('admin', format), onSecond(format)],
      [onSecond(format), api.as('admin', format)],
    ] as const
    for (const [writer, reader] of pairs) {
      const before = await titles(reader)
      const { _id } = await writer.videos.create({ title: 'From afar' })
      assert.equal((await reader.videos.get(_id)).title, 'From afar')
      assert.ok(await withinASecond(async () => (await titles(reader)).includes('From afar')))
      await writer.videos.remove(_id)
      await assert.rejects(reader.videos.get(_id), { status: 404 })
      assert.ok(await withinASecond(async () => !(await titles(reader)).includes('From afar')))
      assert.deepEqual(await titles(reader), before)
    }
  })

  test(`a write that no node made is seen by both within a second (${format})`, async () => {
    const clients = [api.as('admin', format), onSecond(format)]
    const { _id } = await api.as('admin').videos.create({ title: 'By hand' })
    for (const client of clients) await titles(client)
    await api.database.db`update videos set title = 'By another hand' where _id = ${_id}`
    for (const client of clients)
      assert.ok(await withinASecond(async () => (await titles(client)).includes('By another hand')))
    await api.as('admin').videos.remove(_id)
  })

  test(`a schedule written on one node switches on the other on time (${format})`, async () => {
    await aroundMoment(600, async ({ at, before, passed }) => {
      const { _id } = await api.as('admin', format).videos.create({ title: 'On air', enable_at: at })
      await before(async () => assert.ok(!(await titles(onSecond(format))).includes('On air')))
      await passed()
      assert.ok((await titles(onSecond(format))).includes('On air'))
      assert.equal((await onSecond(format).videos.get(_id)).active, true)
      await onSecond(format).videos.remove(_id)
    })
  })

  test(`first_page set on one node takes effect on the other within a second (${format})`, async () => {
    const { account } = api.as('admin', format)
    for (const first_page of [1, 0] as const) {
      await onSecond(format).videos.list()
      await account.update({ first_page })
      const current = async () => (await onSecond(format).videos.list()).pagination.current
      assert.ok(await withinASecond(async () => (await current()) === first_page))
    }
  })
}

const statuses = (key: string) =>
  Promise.all([api, second].map(async ({ url }) => (await ask(`${url}/videos?api_key=${key}`)).status))

test('an API key rotated from outside without an overlap ends on every node within a second', async () => {
  const old = api.other.keys.read_only
  assert.deepEqual(await statuses(old), [200, 200])
  const { db } = api.database
  const made = await rotateKey(db, api.parts.sealer, api.other.channel._id, 'read_only', 0)
  assert.deepEqual(await statuses(made), [200, 200])
  assert.ok(await withinASecond(async () => (await statuses(old)).join() === '401,401'))
})

test('an API key rotated with an overlap works beside the new one', async () => {
  const old = api.other.keys.admin
  const made = await rotateKey(api.database.db, api.parts.sealer, api.other.channel._id, 'admin', 60)
  await pause(1000)
  assert.deepEqual(
    [await statuses(old), await statuses(made)],
    [
      [200, 200],
      [200, 200],
    ],
  )
})

test('an API key deleted from outside ends on every node within a second', async () => {
  const { player } = api.other.keys
  assert.deepEqual(await statuses(player), [403, 403])
  await api.database.db`delete from api_keys where digest = ${api.parts.sealer.digest(player)}`
  assert.ok(await withinASecond(async () => (await statuses(player)).join() === '401,401'))
})

test('an app key rotated, paused or removed on one node ends on the other within a second', async () => {
  const { apps } = api.as('admin')
  const ends = [
    (id: string) => apps.rotate(id, { overlap: 0 }),
    (id: string) => apps.update(id, { active: false }),
    (id: string) => apps.remove(id),
  ]
  for (const end of ends) {
    const { _id, app_key } = await apps.create({ title: 'Ending' })
    const status = async (url: string) => (await ask(`${url}/videos?app_key=${app_key}`)).status
    assert.deepEqual([await status(api.url), await status(second.url)], [200, 200])
    await end(_id)
    assert.equal(await status(api.url), 401)
    assert.ok(await withinASecond(async () => (await status(second.url)) === 401))
  }
})
