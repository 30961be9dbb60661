import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startS3, type TestS3 } from '../../../../../test/support/s3.js'
import { held, keysOf, of, sha256 } from '../../../../../test/support/storage-contract.js'
import type { S3Settings } from '../../config/storage-url.js'
import type { Storage } from '../storage.js'
import { mostParts, partBytes, partBytesFor } from './multipart.js'
import { openS3Storage } from './s3-storage.js'

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

/** An upload with a part that nobody counts, of a writer that was taken over. Returns the bytes that count. */
async function uploadWithStray(key: string): Promise<Buffer> {
  const film = randomBytes(2 * partBytes + 1000)
  const late = await storage.openUpload(key)
  await late.append(of(film.subarray(0, partBytes)), 0)
  const { body, taken, release } = held('late')
  const hanging = assert.rejects(
    late.append(
      (async function* () {
        yield* body
        yield randomBytes(partBytes)
      })(),
      partBytes,
    ),
    { reason: 'taken_over' },
  )
  await taken
  await (await (await open()).openUpload(key)).append(of(film.subarray(partBytes)), partBytes)
  release()
  await hanging
  return film
}

test('an upload with a part that does not count is finished in a store that wants all parts named', async () => {
  const film = await uploadWithStray('strays/a')
  const finish = async () => (await (await open()).openUpload('strays/a')).finish(film.length)
  Object.assign(s3.store.rules, { wantsAllParts: true, copiesParts: false })
  await assert.rejects(finish(), { reason: 'away' })
  s3.store.rules.copiesParts = true
  const facts = { size: film.length, sha256: sha256(film) }
  assert.deepEqual([await finish(), await finish()], [facts, facts])
  s3.store.rules.wantsAllParts = false
  assert.ok((await contentOf('strays/a'))?.equals(film))
  assert.deepEqual(await keysOf(storage.listUploads()), [])
})

test('a server that finishes such an upload does not replace what another has finished meanwhile', async () => {
  const film = await uploadWithStray('strays/b')
  const finish = async () => (await (await open()).openUpload('strays/b')).finish(film.length)
  let copies = 0
  s3.store.rules.wantsAllParts = true
  s3.store.rules.beforeCopy = async () => {
    copies += 1
    if (copies === 1) await finish()
  }
  const facts = { size: film.length, sha256: sha256(film) }
  assert.deepEqual(await finish(), facts)
  Object.assign(s3.store.rules, { wantsAllParts: false, beforeCopy: async () => {} })
  assert.ok(copies > 2)
  assert.ok((await contentOf('strays/b'))?.equals(film))
})
