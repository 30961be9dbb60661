/** The life of a film in an S3 store, with the published program: `npm run lab -- try-s3` runs it with a second S3 server. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { purgeRemoved } from '../../packages/server/src/jobs/purge-removed.job.js'
import { sweepMedia } from '../../packages/server/src/jobs/sweep-media.job.js'
import { newId, newUnguessableId } from '../../packages/server/src/lib/object-id.js'
import { segmentKey, sourceKey } from '../../packages/server/src/media-segments/segment-keys.js'
import { openBucket } from '../../packages/server/src/storage/s3/bucket.js'
import { listMultiparts, listObjects } from '../../packages/server/src/storage/s3/list-objects.js'
import { tusCalls } from '../api/tus-calls.js'
import { type AnyS3, startAnyS3 } from '../support/any-s3.js'
import { startOwnApi } from '../support/api.js'
import { makeClip } from '../support/clip.js'
import { runHere } from '../support/command-line.js'
import { readBytes, readMaster, readPlaylist } from '../support/hls.js'
import { contextOf } from '../support/media.js'
import { until } from '../support/patience.js'
import { addressOf } from '../support/s3.js'
import {
  type Credentials,
  makeGround,
  type RunningServer,
  readCredentials,
  runCommand,
  startServer,
} from '../support/server-process.js'

let s3: AnyS3
let ground: Awaited<ReturnType<typeof makeGround>>
let server: RunningServer
let credentials: Credentials
let env: Record<string, string> & { PORT: string; DATA_DIR: string }
let id: string
before(async () => {
  s3 = await startAnyS3()
  ground = await makeGround()
  await restart({ STORAGE_URL: addressOf(s3.settings()) })
  credentials = await readCredentials(ground.env)
})
after(async () => {
  await server.stop()
  await ground.remove()
  await s3.stop()
})

async function restart(settings: Record<string, string>): Promise<void> {
  await server?.stop()
  env = { ...ground.env, ...settings }
  server = await startServer(env)
}

/** Runs a command. The one that moves films runs in a process of its own, as operators run it. */
async function zoetrope(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await (args[1] === 'move' ? runCommand(args, env) : runHere(args, env))
  assert.equal(code, 0, `${stdout}${stderr}`)
  return stdout
}

const keysUnder = async (folder: string): Promise<string[]> => {
  const bucket = openBucket(s3.settings())
  const keys: string[] = []
  for await (const { key } of listObjects(bucket, `${bucket.prefix}${folder}/`)) keys.push(key)
  return keys
}

async function ask(path: string, method = 'GET'): Promise<{ status: number; body: string }> {
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'x-api-key': credentials.keys.admin },
  })
  return { status: reply.status, body: await reply.text() }
}

const videoRecord = async (): Promise<{ status: string; thumbnails: { url: string }[] }> =>
  JSON.parse((await ask(`/videos/${id}`)).body).response

/** Fetches every segment of every size, and the uploaded film itself. */
async function playAll(film: Buffer): Promise<void> {
  const master = await readMaster(`${server.url}/manifest/${id}.m3u8?api_key=${credentials.keys.player}`)
  assert.ok(master.variants.length > 0)
  for (const { address } of master.variants) {
    const { init, segments } = await readPlaylist(address)
    assert.ok(segments.length > 0)
    for (const part of [init, ...segments.map((segment) => segment.address)])
      assert.ok((await readBytes(part)).length > 100, part)
  }
  const { response } = JSON.parse((await ask(`/videos/${id}/download`)).body) as { response: { url: string } }
  assert.ok((await readBytes(response.url)).equals(film))
}

test('a film is uploaded to the bucket in pieces, prepared and played', async () => {
  assert.match(await zoetrope('storage', 'check'), /\nThe storage can be used\.\n$/)
  const film = await readFile(await makeClip({ seconds: 4 }))
  const tus = tusCalls(() => ({ url: server.url, key: credentials.keys.admin }))
  const begun = await tus.begin(film.length, { filename: 'Clip.mp4', title: 'A film' })
  const half = Math.floor(film.length / 2)
  assert.equal((await tus.append(begun, 0, film.subarray(0, half))).status, 204)
  await restart({ STORAGE_URL: addressOf(s3.settings()) })
  assert.equal(await tus.offsetAt(begun), half)
  assert.equal((await tus.append(begun, half, film.subarray(half))).status, 204)
  id = JSON.parse((await ask('/videos?active=all')).body).response[0]._id
  await until('The film', async () => (await videoRecord()).status === 'ready' || undefined)
  await playAll(film)
  await until('The poster', async () => (await videoRecord()).thumbnails.at(-1)?.url)
  assert.match(await zoetrope('storage', 'verify', '--deep'), /\nAll are there and unchanged\.\n$/)
  assert.equal((await keysUnder('objects/sources')).length, 1)
  assert.deepEqual(await keysUnder('uploads'), [])
})

test('the film moves to the disk and back, and plays in both places', async () => {
  const film = await readFile(await makeClip({ seconds: 4 }))
  const address = addressOf(s3.settings())
  for (const [settings, to, left] of [
    [{ STORAGE_OLD_URL: address, WORKERS: '0' }, 'disk', 0],
    [{ STORAGE_URL: address, WORKERS: '0' }, 's3', 1],
  ] as const) {
    await restart(settings)
    await playAll(film)
    assert.match(await zoetrope('storage', 'move', '--to', to), /\nAll films are in the new place\.\n$/)
    assert.equal((await keysUnder('objects/sources')).length, left)
    await playAll(film)
    assert.match(await zoetrope('storage', 'verify', '--deep'), /\nAll are there and unchanged\.\n$/)
    assert.match(await zoetrope('storage', 'status'), /\nThe storage belongs to this database\.\n$/)
  }
})

test('a deleted film stays in the bucket while its deletion can be undone, and the sweep leaves it there', async () => {
  assert.equal((await ask(`/videos/${id}`, 'DELETE')).status, 204)
  await zoetrope('storage', 'sweep', '--confirm')
  assert.equal((await keysUnder('objects/sources')).length, 1)
  const bucket = openBucket(s3.settings())
  for await (const { key } of listMultiparts(bucket, bucket.prefix)) assert.fail(`${key} was left`)
})

test('the sweep sets the film of a purged video aside, and deletes it after a week', async () => {
  const own = await startAnyS3()
  const api = await startOwnApi({ storage: own.settings() })
  const { db } = api.database
  const { storage } = api.media
  const [_id, video_id, site_id] = [newUnguessableId(), newId(), api.channel.channel._id]
  const names = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of storage.list(prefix)) keys.push(key)
    return keys
  }
  for (const key of [sourceKey(_id), segmentKey(_id, 'hls_240p', 0)])
    await storage.put(key, Readable.from([Buffer.from('film')]))
  await db`insert into videos ${db({ _id: video_id, site_id, media_source_id: _id, title: 'Film', friendly_title: video_id })}`
  await db`insert into sources ${db({ _id, site_id, video_id, bytes: 4, sha256: '' })}`
  await db`update videos set deleted_at = now() - interval '31 days', status = 'deleted' where _id = ${video_id}`
  await purgeRemoved.run({}, contextOf(api))
  await sweepMedia.run({ youngest_ms: 0 }, contextOf(api))
  assert.deepEqual([await names('sources'), await names('segments')], [[], []])
  const [aside = '', ...others] = await names('aside')
  assert.ok(aside.includes(_id) && others.length === 0)
  await storage.move(aside, aside.replace(/\d{4}-\d\d-\d\d/, '2026-01-01'))
  await sweepMedia.run({ youngest_ms: 0 }, contextOf(api))
  assert.deepEqual(await names('aside'), [])
  await api.stop()
  await own.stop()
})
