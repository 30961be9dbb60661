import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { limitStorage } from '../../packages/server/src/auth/channels.js'
import { roomFor } from '../../packages/server/src/films/quota.js'
import type { Storage } from '../../packages/server/src/storage/storage.js'
import { formats, startOwnApi, type TestApi } from '../support/api.js'
import { addPublisher, signInAs } from '../support/publishers.js'
import { sendRaw } from '../support/raw-http.js'
import { callsTo, clear, codeOf } from './tus-calls.js'
import { film, headersOf, opening, type Part, stream, upload } from './upload-requests.js'

let api: TestApi
before(async () => {
  api = await startOwnApi()
})
beforeEach(async () => {
  await clear(api)
  await limit('default')
})
after(() => api.stop())

const { announce, begin, append, send } = callsTo(() => api)
const limit = (bytes: number | 'none' | 'default') =>
  limitStorage(api.database.db, api.channel.channel._id, bytes)
const fileOf = (bytes: number): Part => ['source', film('x'.repeat(bytes)), 'a.mp4']
const post = (bytes: number) => upload(api, [fileOf(bytes)])
async function storage() {
  const { storage_bytes, storage_limit_bytes } = await api.as('admin').account.get()
  return [storage_bytes, storage_limit_bytes]
}

for (const format of formats)
  test(`the account shows the used storage and the limit (${format})`, async () => {
    const { account } = api.as('admin', format)
    await post(100)
    await begin(1000)
    await limit(5000)
    const shown = await account.get()
    assert.deepEqual([shown.storage_bytes, shown.storage_limit_bytes], [1100, 5000])
    const changed = await account.update({ title: shown.title, storage_limit_bytes: 1 } as never)
    assert.deepEqual([changed.storage_bytes, changed.storage_limit_bytes], [1100, 5000])
    await limit('none')
    assert.deepEqual(await storage(), [1100, null])
    const theirs = await api.other.as('admin', format).account.get()
    assert.deepEqual([theirs.storage_bytes, theirs.storage_limit_bytes], [0, null])
  })

test('the storage limit follows the setting unless the channel has its own', async () => {
  const media = api.media as { channelBytes: number | undefined }
  media.channelBytes = 150
  try {
    assert.deepEqual(await storage(), [0, 150])
    assert.equal((await post(151)).status, 413)
    await limit(200)
    assert.equal((await post(151)).status, 201)
    await limit('none')
    assert.equal((await post(500)).status, 201)
    await limit('default')
    assert.deepEqual(await storage(), [651, 150])
    assert.equal((await post(1)).status, 413)
  } finally {
    media.channelBytes = undefined
  }
})

test('a new channel of an owner gets at most their largest limit, and at most the setting', async () => {
  const media = api.media as { channelBytes: number | undefined }
  const owner = await signInAs(api, await addPublisher(api, [api.channel, 'owner']))
  const newLimit = async () => {
    const { body } = await owner.call('POST', 'channels', { name: 'Another' })
    const [made] = await api.database.db`select storage_limit from channels where _id = ${body._id}`
    await api.database.db`delete from channels where _id = ${body._id}`
    return made?.storage_limit === null ? null : Number(made?.storage_limit)
  }
  assert.equal(await newLimit(), null, 'as the setting says')
  await limit(5000)
  assert.equal(await newLimit(), 5000)
  try {
    media.channelBytes = 700
    assert.equal(await newLimit(), null, 'as the setting says, which is less')
    await limit('none')
    assert.equal(await newLimit(), null, 'an exception for one channel is none for others')
  } finally {
    media.channelBytes = undefined
  }
})

test('beyond the limit uploads return 413 with the numbers, and deleting frees space', async () => {
  await limit(1000)
  const { body } = await post(600)
  const tooMuch = await post(401)
  assert.deepEqual([tooMuch.status, tooMuch.body.code], [413, 'too_large'])
  assert.match(tooMuch.body.message, /may keep 1,000 bytes and has 600 bytes/)
  assert.match(tooMuch.body.message, /operator/)
  assert.deepEqual(await codeOf(await announce(401)), [413, 'too_large'])
  await assert.rejects(api.as('admin').uploads.create({ length: 401 }), { status: 413 })
  assert.equal((await stream(api, 500_000)).status, 413)
  assert.deepEqual(await storage(), [600, 1000])

  const address = await begin(400)
  assert.equal((await post(1)).status, 413)
  assert.equal((await send('DELETE', address)).status, 204)
  assert.equal((await post(400)).status, 201)
  await api.as('admin').videos.remove(String(body.response._id))
  assert.deepEqual(await storage(), [400, 1000])
  const again = await begin(600)
  assert.equal((await append(again, 0, 'x'.repeat(600))).status, 204)
  assert.deepEqual(await storage(), [1000, 1000])
})

test('a file that does not fit is rejected before it is received', async () => {
  await limit(1000)
  const reply = await sendRaw(api.url, {
    method: 'POST',
    path: '/videos',
    headers: headersOf(api.channel.keys.admin, 5_000_000),
    body: Buffer.from(`${opening()}beginning`),
  })
  assert.equal(reply.status, 413, reply.text)
  assert.match(reply.text, /may keep 1,000 bytes and has 0 bytes/)
})

test('uploads at the same time do not exceed the limit together', async () => {
  await limit(1000)
  const posted = await Promise.all(Array.from({ length: 10 }, () => post(300)))
  assert.deepEqual(posted.filter(({ status }) => status === 201).length, 3)
  assert.ok(posted.every(({ status }) => status === 201 || status === 413))
  assert.deepEqual(await storage(), [900, 1000])

  await clear(api)
  const [tus, forms] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, () => announce(300))),
    Promise.all(Array.from({ length: 10 }, () => post(300))),
  ])
  const taken = [...tus, ...forms].filter(({ status }) => status === 201)
  assert.equal(taken.length, 3)
  assert.deepEqual(await storage(), [900, 1000])
})

test('disk space reserved for a resumable upload is not reserved again', async () => {
  const disk = api.media.storage as { freeBytes: Storage['freeBytes'] }
  const { freeBytes } = disk
  disk.freeBytes = async () => 256 * 1_048_576 + 1000
  const site_id = api.channel.channel._id
  const fits = (bytes: number) => roomFor(api.database.db, api.media, site_id, bytes)
  try {
    const address = await begin(600)
    await assert.rejects(fits(401), { status: 507 })
    await fits(400)
    assert.equal((await post(401)).status, 507)
    // Received bytes are on the disk and no longer count as reserved.
    await append(address, 0, 'x'.repeat(500))
    await assert.rejects(fits(901), { status: 507 })
    await fits(900)
    assert.equal((await append(address, 500, 'x'.repeat(100))).status, 204)
    await fits(1000)
  } finally {
    disk.freeBytes = freeBytes
  }
})
