import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase } from '../../../../test/support/database.js'
import { type Database, openDatabase } from '../db/database.js'
import { createCaches } from '../lib/caches.js'
import { keyFramesOf, measureTracks } from './measured.js'
import { audioTrack } from './segment-keys.js'
import { planSource, type Source } from './source-plan.js'
import { secondsOfTrack } from './track-seconds.js'

let database: Database
let drop: () => Promise<void>
before(async () => {
  const clone = await cloneDatabase()
  drop = clone.drop
  database = openDatabase({ connection: clone.connection, connections: 2 })
})
after(async () => {
  await database.close()
  await drop()
})

/** A minute of audio: one rendition is enough to measure. */
const plan = planSource(
  {
    container: 'mp3',
    bytes: 1,
    duration: 60,
    audio: { index: 0, codec: 'mp3', channels: 2, sampleRate: 48_000, tracks: 1 },
  },
  [],
)

/** Records the first windows as made, with 10,000 bytes per second of their segments. */
async function filmOf(_id: string, windows: number): Promise<Source> {
  const seconds = secondsOfTrack(plan, audioTrack) ?? []
  for (const [number, { from, to }] of plan.windows.slice(0, windows).entries()) {
    const sizes = seconds.slice(from, to).map((length) => Math.round(length * 10_000))
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    await database.db`
      insert into media_windows (source_id, track, number, made_at, bytes, segment_bytes, key_bytes)
      values (${_id}, ${audioTrack}, ${number}, now(), ${bytes}, ${sizes}::integer[], ${sizes}::integer[])
    `
  }
  return { _id, site_id: 'site', video_id: 'video', plan }
}

test('rates come from the segments made so far, once they last half a minute', async () => {
  const few = await measureTracks(createCaches(), database.db, await filmOf('few', 4))
  assert.equal(few.get(audioTrack)?.rates, undefined)
  const { rates, keyRates } =
    (await measureTracks(createCaches(), database.db, await filmOf('enough', 11))).get(audioTrack) ?? {}
  assert.deepEqual(
    [rates?.peak, rates?.average].map((rate) => Math.round((rate ?? 0) / 100)),
    [800, 800],
  )
  assert.equal(keyRates, undefined)
})

test('key frames are known once all segments have been made', async () => {
  const some = await filmOf('some', 11)
  assert.equal(await keyFramesOf(database.db, some, audioTrack), undefined)
  const whole = await filmOf('whole', plan.windows.length)
  assert.equal((await keyFramesOf(database.db, whole, audioTrack))?.length, plan.windows.at(-1)?.to)
  assert.ok((await measureTracks(createCaches(), database.db, whole)).get(audioTrack)?.keyRates)
})
