import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { runSources } from '../../../../../test/support/run-sources.js'
import { startS3, type TestS3 } from '../../../../../test/support/s3.js'
import type { S3Settings } from '../../config/storage-url.js'
import { held, keysOf, of, sha256 } from '../storage.contract.js'
import type { Storage } from '../storage.js'
import { openBucket } from './bucket.js'
import { mostParts, partBytes, partBytesFor } from './multipart.js'
import { openS3Storage } from './s3-storage.js'
import { copyObject } from './write-object.js'

let s3: TestS3
let folder: string
let storage: Storage
const patience = { pauseMs: 1, idleMs: 30_000 }
const open = (changes: Partial<S3Settings> = {}, cacheBytes = 1e9) =>
  openS3Storage(s3.settings(changes), { cacheDir: join(folder, 'cache'), cacheBytes, patience })
before(async () => {
  s3 = await startS3()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-s3-'))
  storage = await open()
})
after(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const contentOf = async (key: string) => {
  const object = await storage.read(key)
  return object && (await buffer(object.body))
}

test('an upload of several parts is continued by other servers in turn, and its digest is right', async () => {
  const film = randomBytes(2 * partBytes + 1_234_567)
  const servers = [storage, await open()]
  const step = 3_000_000
  for (let at = 0, turn = 0; at < film.length; at += step, turn += 1) {
    const upload = await servers[turn % 2]?.openUpload('turns/a')
    assert.equal(await upload?.offset(), at)
    await upload?.append(of(film.subarray(at, at + step)), at)
  }
  assert.equal(s3.store.uploads.size, 1)
  const facts = { size: film.length, sha256: sha256(film) }
  assert.deepEqual(await (await (await open()).openUpload('turns/a')).finish(), facts)
  assert.ok((await contentOf('turns/a'))?.equals(film))
  assert.equal(s3.store.uploads.size, 0)
  assert.deepEqual(await keysOf(storage.listUploads()), [])
  assert.deepEqual(
    [...s3.store.objects.keys()].filter((key) => key.includes('/uploads/')),
    [],
  )
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

test('a record that arrives after the end changes nothing', async () => {
  const upload = await storage.openUpload('stray/a')
  await upload.append(of('one'), 0)
  const [key = ''] = [...s3.store.objects.keys()].filter((each) => each.includes('uploads/stray/a/'))
  const record = s3.store.objects.get(key)
  await upload.append(of('two'), 3)
  await upload.finish()
  if (record) s3.store.objects.set(key, record)
  assert.deepEqual(await keysOf(storage.listUploads()), ['stray/a'])
  const facts = { size: 6, sha256: sha256(Buffer.from('onetwo')) }
  assert.deepEqual(await (await (await open()).openUpload('stray/a')).finish(), facts)
  assert.equal(String(await contentOf('stray/a')), 'onetwo')
  assert.deepEqual(await keysOf(storage.listUploads()), [])
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

test('a multipart upload without a record is aborted after a week, those in use are not', async () => {
  await (await storage.openUpload('sweep/a')).append(of(randomBytes(partBytes)), 0)
  const begin = (key: string, days: number) =>
    s3.store.uploads.set(key, {
      key: `zoetrope/objects/${key}`,
      metadata: {},
      at: new Date(Date.now() - days * 24 * 3600_000),
      parts: new Map(),
    })
  begin('orphan', 8)
  begin('young', 6)
  for (const upload of s3.store.uploads.values())
    if (upload.key.endsWith('/sweep/a')) Object.assign(upload, { at: new Date(0) })
  assert.equal(await storage.sweep(), 1)
  assert.deepEqual([...s3.store.uploads.values()].map(({ key }) => key).sort(), [
    'zoetrope/objects/sweep/a',
    'zoetrope/objects/young',
  ])
  await (await storage.openUpload('sweep/a')).abort()
  assert.equal(s3.store.uploads.size, 1)
})

test('a very large object is copied in parts', async () => {
  const film = randomBytes(100_000)
  await storage.put('copy/a', of(film))
  const bucket = openBucket(s3.settings(), patience)
  assert.ok(await copyObject(bucket, 'zoetrope/objects/copy/a', 'zoetrope/objects/copy/b', 50_000))
  assert.ok((await contentOf('copy/b'))?.equals(film))
})

test('an object whose size is known has so large parts that there are not too many', async () => {
  for (const size of [undefined, 0, 1, 8e9, 83_886_080_000]) assert.equal(partBytesFor(size), partBytes)
  for (const size of [83_886_080_001, 100e9, 1e12, 5e12]) {
    assert.ok(partBytesFor(size) > partBytes)
    assert.ok(size / partBytesFor(size) <= mostParts)
  }
  const film = randomBytes(3 * partBytes)
  const written = await storage.put('large/a', of(film), { size: 120e9 })
  assert.deepEqual(written, { size: film.length, sha256: sha256(film) })
  const parts = s3.requestsOf('large/a').filter((url) => url.includes('partNumber='))
  assert.equal(parts.length, Math.ceil(film.length / partBytesFor(120e9)))
})

test('more than a thousand objects are listed and removed', async () => {
  const example = { bytes: Buffer.from('x'), metadata: {}, etag: 'x', at: new Date() }
  for (let number = 0; number < 2100; number += 1)
    s3.store.objects.set(`zoetrope/objects/many/${number % 1050}/${number}`, example)
  assert.equal((await keysOf(storage.list('many'))).length, 2100)
  let names = 0
  for await (const _ of storage.names('many')) names += 1
  assert.equal(names, 1050)
  assert.equal(await storage.removeUnder('many'), 2100)
})

test('a film is fetched once while it is in the cache, and again when it is replaced', async () => {
  const small = await open({}, 10_000)
  const fetched = async (key: string) => {
    const text = await small.withLocalFile(key, async (path) => readFile(path, 'utf8'))
    return text.slice(0, 5)
  }
  await small.put('cache/a', of('first'.padEnd(6000)))
  await small.put('cache/b', of('other'.padEnd(6000)))
  assert.deepEqual(await Promise.all([fetched('cache/a'), fetched('cache/a')]), ['first', 'first'])
  assert.equal(await fetched('cache/b'), 'other')
  await small.put('cache/a', of('again'.padEnd(60_000)))
  assert.equal(await fetched('cache/a'), 'again')
})

test('what is wrong with a store is said in a sentence, without the secret', async () => {
  const credentials = { accessKeyId: 'NOBODY', secretAccessKey: 'another secret' }
  for (const [changes, words] of [
    [{ host: '127.0.0.1:1' }, /^The store of bucket films at 127.0.0.1:\d+ cannot be reached/],
    [{ bucket: 'nothing' }, /^There is no bucket nothing at 127/],
    [{ credentials }, /^The store refuses the credentials for bucket films at 127/],
  ] as const)
    await assert.rejects(open(changes), (error: Error) => {
      assert.match(error.message, words)
      assert.equal((error as Error & { reason: string }).reason, 'away')
      assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /another secret|a secret\/of/)
      return true
    })
})
