import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { callsTo } from '../api/tus-calls.js'
import { startOwnApi, type TestApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { readBytes, readMaster, readPlaylist } from '../support/hls.js'
import { openWorker, untilPrepared } from '../support/media.js'
import { until } from '../support/patience.js'
import { settingsOf, startS3, type TestS3 } from '../support/s3.js'
import { type FaultProxy, startFaultProxy } from '../support/s3-faults.js'

/** Two servers with a worker each. They share a database and a bucket, and no folder. */
let s3: TestS3
let store: FaultProxy
let first: TestApi
let second: TestApi
let workers: { stop(): Promise<void> }[]
before(async () => {
  s3 = await startS3()
  store = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  first = await startOwnApi({ storage: settingsOf(store.port) })
  second = { ...first, ...(await first.startNode()) }
  workers = [openWorker(first), openWorker(second)]
})
after(async () => {
  for (const worker of workers) await worker.stop()
  await second.stop()
  await first.stop()
  await store.stop()
  await s3.stop()
})

const onSecond = (address: string) => address.replace(first.url, second.url)

const keysIn = (folder: string) =>
  [...s3.store.objects.keys()].filter((key) => key.startsWith(`zoetrope/${folder}/`))

test('a film begun on one server and finished on another is made by workers and played by both', async () => {
  const film = await readFile(await makeClip({ seconds: 4 }))
  const half = Math.floor(film.length / 2)
  const [here, there] = [callsTo(() => first), callsTo(() => second)]
  const begun = await here.begin(film.length, { filename: 'Clip.mp4', title: 'In a bucket' })
  assert.equal((await here.append(begun, 0, film.subarray(0, half))).status, 204)
  const address = onSecond(begun)
  assert.equal(await there.offsetAt(address), half)
  assert.equal((await there.append(address, half, film.subarray(half))).status, 204)
  const { response } = await first.as('admin').videos.list({ active: 'all' })
  const [video] = response
  assert.ok(video)
  await untilPrepared(first, video._id)
  assert.equal((await first.as('admin').videos.get(video._id)).status_reason, null)

  const master = await readMaster(
    `${second.url}/manifest/${video._id}.m3u8?api_key=${first.channel.keys.player}`,
  )
  assert.ok(master.variants.length > 0)
  for (const { address: variant } of master.variants) {
    const playlist = await readPlaylist(variant)
    for (const part of [playlist.init, ...playlist.segments.map((segment) => segment.address)])
      assert.ok((await readBytes(part)).length > 100, part)
  }
  const poster = await until(
    'The poster',
    async () => (await first.as('admin').videos.get(video._id)).thumbnails.at(-1)?.url,
  )
  assert.ok((await readBytes(onSecond(poster))).length > 100)
  const download = await first.as('admin').downloads.get(video._id)
  assert.ok((await readBytes(onSecond(download.url))).equals(film))
  assert.deepEqual(keysIn('uploads'), [])
  assert.equal(keysIn('objects/sources').length, 1)
})

test('while the store is away requests get 503 with Retry-After, and they succeed when it is back', async () => {
  const [picture = ''] = keysIn('objects/pictures')
  const address = `${second.url}/${picture.replace('zoetrope/objects/', '')}`
  const upload = callsTo(() => second)
  const begun = await upload.begin(3)
  assert.equal((await fetch(address)).status, 200)
  store.shut(true)
  const away = await fetch(address)
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '5'])
  assert.match(await away.text(), /The media storage cannot be reached for the moment/)
  assert.equal((await upload.append(begun, 0, 'abc')).status, 503)
  store.shut(false)
  assert.equal((await fetch(address)).status, 200)
  assert.equal(await upload.offsetAt(begun), 0)
})
