import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startS3, type TestS3 } from '../../../../../test/support/s3.js'
import { type FaultProxy, startFaultProxy } from '../../../../../test/support/s3-faults.js'
import { of } from '../../../../../test/support/storage-contract.js'
import type { ByteRange, Storage } from '../storage.js'
import { openTwoPlaces } from '../two-places.js'
import { blockBytes } from './block-file.js'
import { openS3Storage } from './s3-storage.js'

let s3: TestS3
let proxy: FaultProxy
let folder: string
let cacheDir: string
before(async () => {
  s3 = await startS3()
  proxy = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-blocks-'))
  cacheDir = join(folder, 'cache')
})
after(async () => {
  await proxy.stop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const open = (cacheBlocks: number): Promise<Storage> =>
  openS3Storage(s3.settings({ host: `127.0.0.1:${proxy.port}` }), {
    cacheDir,
    cacheBytes: cacheBlocks * blockBytes,
    patience: { pauseMs: 1, idleMs: 30_000 },
  })

const blocks = (count: number) => Math.floor(count * blockBytes)

async function readParts(storage: Storage, key: string, range: ByteRange): Promise<Buffer> {
  const parts = await storage.openParts(key)
  assert.ok(parts, `${key} is wholly on the disk`)
  return buffer(parts.read(range))
}

/** The room that files of the cache take, in blocks. */
async function blocksOnDisk(): Promise<number> {
  const names = await readdir(cacheDir, { recursive: true }).catch(() => [])
  const facts = await Promise.all(names.map((name) => stat(join(cacheDir, name)).catch(() => undefined)))
  const used = facts.reduce((sum, fact) => sum + (fact?.isFile() ? fact.blocks * 512 : 0), 0)
  return used / blockBytes
}

test('parts have the bytes of the object, and only their blocks are fetched, once for all who ask', async () => {
  const storage = await open(100)
  const film = randomBytes(blocks(9.5))
  await storage.put('parts/a', of(film))
  const ranges = [
    { start: 0, end: 10 },
    { start: blocks(5) - 7, end: blocks(5) + 7 },
    { start: film.length - 5, end: film.length + 100 },
    { start: film.length, end: film.length + 1 },
  ]
  for (const { start, end } of [...ranges, ...ranges])
    assert.ok((await readParts(storage, 'parts/a', { start, end })).equals(film.subarray(start, end)))
  const all = { start: blocks(4), end: blocks(6) }
  const read = await Promise.all(Array.from({ length: 8 }, () => readParts(storage, 'parts/a', all)))
  assert.ok(read.every((bytes) => bytes.equals(film.subarray(all.start, all.end))))
  const fetched = s3.sentOf('parts/a') / blockBytes
  assert.ok(fetched > 3.4 && fetched < 3.6, `${fetched} blocks were fetched`)
})

test('an object of which all blocks were read is a local file from then on', async () => {
  const storage = await open(100)
  const film = randomBytes(blocks(6.2))
  await storage.put('whole/a.mp4', of(film))
  assert.ok((await readParts(storage, 'whole/a.mp4', { start: 0, end: film.length })).equals(film))
  assert.equal(await storage.openParts('whole/a.mp4'), undefined)
  const before = s3.sentOf('whole/a.mp4')
  assert.ok(film.equals(await storage.withLocalFile('whole/a.mp4', (path) => readFile(path))))
  assert.ok(s3.sentOf('whole/a.mp4') - before < 1000)
})

test('an object larger than the cache is read within its bounds, in parts and as a file', async () => {
  await rm(cacheDir, { recursive: true, force: true })
  const storage = await open(4)
  const film = randomBytes(blocks(20))
  await storage.put('large/a', of(film))
  const parts = await storage.openParts('large/a')
  assert.ok(parts)
  let at = 0
  let most = 0
  for await (const chunk of parts.read({ start: 0, end: film.length })) {
    assert.ok(film.subarray(at, at + chunk.byteLength).equals(chunk))
    at += chunk.byteLength
    most = Math.max(most, await blocksOnDisk())
  }
  assert.equal(at, film.length)
  // Blocks on their way are not counted.
  assert.ok(most <= 4 + 8, `${most} blocks were on the disk`)
  assert.ok(film.equals(await storage.withLocalFile('large/a', (path) => readFile(path))))
  assert.ok((await blocksOnDisk()) <= 4)
})

test('the folder of the cache can be deleted at any time', async () => {
  const storage = await open(100)
  const film = randomBytes(blocks(8))
  await storage.put('deleted/a', of(film))
  const parts = await storage.openParts('deleted/a')
  assert.ok(parts)
  let at = 0
  for await (const chunk of parts.read({ start: 0, end: film.length })) {
    assert.ok(film.subarray(at, at + chunk.byteLength).equals(chunk))
    at += chunk.byteLength
    if (at % (2 * blockBytes) === 0) await rm(cacheDir, { recursive: true, force: true })
  }
  assert.equal(at, film.length)
  await rm(cacheDir, { recursive: true, force: true })
  assert.ok(film.equals(await storage.withLocalFile('deleted/a', (path) => readFile(path))))
})

test('an object that is replaced or deleted while it is read is an error, never other bytes', async () => {
  const storage = await open(100)
  const [first, second] = [randomBytes(blocks(5)), randomBytes(blocks(5))]
  await storage.put('replaced/a', of(first))
  const parts = await storage.openParts('replaced/a')
  assert.ok(parts)
  assert.ok((await buffer(parts.read({ start: 0, end: 5 }))).equals(first.subarray(0, 5)))
  await storage.put('replaced/a', of(second))
  await assert.rejects(buffer(parts.read({ start: blocks(1), end: blocks(2) })), { reason: 'replaced' })
  assert.ok((await readParts(storage, 'replaced/a', { start: 0, end: 5 })).equals(second.subarray(0, 5)))
  await storage.remove('replaced/a')
  await assert.rejects(buffer(parts.read({ start: blocks(2), end: blocks(3) })), { reason: 'missing' })
  await assert.rejects(storage.openParts('replaced/a'), { reason: 'missing' })
})

test('a store that is away is an error, and reading goes on when it is back', async () => {
  const storage = await open(100)
  const film = randomBytes(blocks(5))
  await storage.put('away/a', of(film))
  const parts = await storage.openParts('away/a')
  assert.ok(parts)
  const range = { start: blocks(1), end: blocks(2) }
  proxy.shut(true)
  await assert.rejects(buffer(parts.read(range)), { reason: 'away' })
  proxy.shut(false)
  assert.ok((await buffer(parts.read(range))).equals(film.subarray(range.start, range.end)))
})

test('a film that moves while it is read is read on in the new place', async () => {
  const [from, to] = [
    await open(100),
    await openS3Storage(s3.settings({ prefix: 'other' }), { cacheDir, cacheBytes: 1e9 }),
  ]
  const film = randomBytes(blocks(6))
  await from.put('moved/a', of(film))
  const both = openTwoPlaces({ to, from, lock: async () => async () => {} })
  const parts = await both.openParts('moved/a')
  assert.ok(parts)
  const chunks: Uint8Array[] = []
  for await (const chunk of parts.read({ start: 0, end: film.length })) {
    if (chunks.length === 0) {
      await to.put('moved/a', of(film))
      await from.remove('moved/a')
    }
    chunks.push(chunk)
  }
  assert.ok(Buffer.concat(chunks).equals(film))
})
