/** What every S3 server must do for uploads in parts; `npm run lab -- try-s3` runs it with a second one. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { type AnyS3, startAnyS3 } from '../../../../../test/support/any-s3.js'
import { runSources } from '../../../../../test/support/run-sources.js'
import { held, keysOf, of, sha256 } from '../../../../../test/support/storage-contract.js'
import type { S3Settings } from '../../config/storage-url.js'
import type { Storage } from '../storage.js'
import { openBucket, type S3Bucket } from './bucket.js'
import { listMultiparts, listObjects } from './list-objects.js'
import { partBytes } from './multipart.js'
import { openS3Storage } from './s3-storage.js'
import { copyObject } from './write-object.js'

let s3: AnyS3
let folder: string
let storage: Storage
let bucket: S3Bucket
const patience = { pauseMs: 1, idleMs: 30_000 }
const open = (changes: Partial<S3Settings> = {}, cacheBytes = 1e9) =>
  openS3Storage(s3.settings(changes), { cacheDir: join(folder, 'cache'), cacheBytes, patience })
before(async () => {
  s3 = await startAnyS3()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-s3-'))
  storage = await open()
  bucket = openBucket(s3.settings(), patience)
})
after(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const contentOf = async (key: string) => {
  const object = await storage.read(key)
  return object && (await buffer(object.body))
}

const multiparts = () => keysOf(listMultiparts(bucket, bucket.prefix))

test('an upload of several parts is continued by other servers in turn, and its digest is right', async () => {
  const film = randomBytes(2 * partBytes + 1_234_567)
  const servers = [storage, await open()]
  const step = 3_000_000
  for (let at = 0, turn = 0; at < film.length; at += step, turn += 1) {
    const upload = await servers[turn % 2]?.openUpload('turns/a')
    assert.equal(await upload?.offset(), at)
    await upload?.append(of(film.subarray(at, at + step)), at)
  }
  assert.equal((await multiparts()).length, 1)
  const facts = { size: film.length, sha256: sha256(film) }
  assert.deepEqual(await (await (await open()).openUpload('turns/a')).finish(), facts)
  assert.ok((await contentOf('turns/a'))?.equals(film))
  assert.equal((await multiparts()).length, 0)
  assert.deepEqual(await keysOf(storage.listUploads()), [])
  assert.deepEqual(await keysOf(listObjects(bucket, `${bucket.prefix}uploads/`)), [])
})

test('a writer that was taken over cannot change parts of its successor', async () => {
  const film = randomBytes(2 * partBytes)
  const [part, rest] = [film.subarray(0, partBytes), film.subarray(partBytes)]
  const first = await storage.openUpload('late/a')
  await first.append(of(part), 0)
  const { body, taken, release } = held('late')
  const late = async function* () {
    yield* body
    yield randomBytes(partBytes)
  }
  const hanging = assert.rejects(first.append(late(), partBytes), { reason: 'taken_over' })
  await taken
  const second = await (await open()).openUpload('late/a')
  assert.equal(await second.append(of(rest), partBytes), film.length)
  release()
  await hanging
  assert.deepEqual(await second.finish(), { size: film.length, sha256: sha256(film) })
  assert.ok((await contentOf('late/a'))?.equals(film))
})

test('acknowledged bytes of a killed process are kept, and another process continues', async () => {
  const source = `
    import { openS3Storage } from ${JSON.stringify(join(import.meta.dirname, 's3-storage.ts'))}
    const storage = await openS3Storage(${JSON.stringify(s3.settings())}, { cacheDir: ${JSON.stringify(folder)}, cacheBytes: 1e9 })
    const upload = await storage.openUpload('killed/a')
    async function* of(bytes) { yield bytes }
    for (let offset = 0; ; ) {
      offset = await upload.append(of(Buffer.alloc(3_000_000, offset % 251)), offset)
      console.log(offset)
    }`
  const child = spawn(process.execPath, [...runSources, '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line)
    if (acknowledged > partBytes) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const upload = await storage.openUpload('killed/a')
  const offset = await upload.offset()
  assert.ok(offset >= acknowledged, `${acknowledged} bytes were acknowledged, ${offset} are there`)
  await upload.append(of('end'), offset)
  const expected = Buffer.concat([
    ...Array.from({ length: offset / 3_000_000 }, (_, turn) =>
      Buffer.alloc(3_000_000, (turn * 3_000_000) % 251),
    ),
    Buffer.from('end'),
  ])
  assert.deepEqual(await upload.finish(), { size: expected.length, sha256: sha256(expected) })
  assert.ok((await contentOf('killed/a'))?.equals(expected))
})

test('a very large object is copied in parts', async () => {
  const film = randomBytes(100_000)
  await storage.put('copy/a', of(film))
  const [from, to] = [`${bucket.prefix}objects/copy/a`, `${bucket.prefix}objects/copy/b`]
  assert.ok(await copyObject(bucket, from, to, 50_000))
  assert.ok((await contentOf('copy/b'))?.equals(film))
})

test('what is wrong with a store is said in a sentence, without the secret', async () => {
  const { accessKeyId = '' } = s3.settings().credentials ?? {}
  const wrongSecret = { accessKeyId, secretAccessKey: 'another secret' }
  const nobody = { accessKeyId: 'NOBODY', secretAccessKey: 'another secret' }
  for (const [changes, words] of [
    [{ host: '127.0.0.1:1' }, /^The store of bucket films at 127.0.0.1:\d+ cannot be reached/],
    [{ bucket: 'nothing' }, /^There is no bucket nothing at 127/],
    [{ credentials: nobody }, /^The store refuses the credentials for bucket films at 127/],
    [{ credentials: wrongSecret }, /^The store refuses the credentials for bucket films at 127/],
  ] as const)
    await assert.rejects(open(changes), (error: Error) => {
      assert.match(error.message, words)
      assert.equal((error as Error & { reason: string }).reason, 'away')
      assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /another secret|a secret\/of/)
      return true
    })
})
