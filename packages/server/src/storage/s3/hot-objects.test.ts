import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startS3, type TestS3 } from '../../../../../test/support/s3.js'
import { type FaultProxy, startFaultProxy } from '../../../../../test/support/s3-faults.js'
import { of } from '../../../../../test/support/storage-contract.js'
import type { Storage } from '../storage.js'
import { blockBytes } from './block-file.js'
import { openS3Storage } from './s3-storage.js'

let s3: TestS3
let proxy: FaultProxy
let folder: string
let cacheDir: string
before(async () => {
  s3 = await startS3()
  proxy = await startFaultProxy(s3.port, { rate: 0, random: () => 1 })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-hot-'))
  cacheDir = join(folder, 'cache')
})
after(async () => {
  await proxy.stop()
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const open = (cacheBytes = 1e9): Promise<Storage> =>
  openS3Storage(s3.settings({ host: `127.0.0.1:${proxy.port}` }), {
    cacheDir,
    cacheBytes,
    patience: { pauseMs: 1, idleMs: 30_000 },
  })

async function readAll(storage: Storage, key: string): Promise<Buffer | undefined> {
  const object = await storage.readOften(key)
  if (!object) return undefined
  const bytes = await buffer(object.body)
  assert.equal(bytes.length, object.size)
  return bytes
}

async function assertReads(storage: Storage, key: string, expected: Buffer): Promise<void> {
  assert.ok((await readAll(storage, key))?.equals(expected), `${key} has other bytes`)
}

test('from its third reader on an object comes from the disk, also while the store is away', async () => {
  const storage = await open()
  const segment = randomBytes(blockBytes + 1000)
  await storage.put('segments/hot/0.m4s', of(segment))
  for (const _ of ['first', 'second']) await assertReads(storage, 'segments/hot/0.m4s', segment)
  const sent = s3.sentOf('hot/0.m4s')
  proxy.shut(true)
  try {
    await assertReads(storage, 'segments/hot/0.m4s', segment)
  } finally {
    proxy.shut(false)
  }
  assert.equal(s3.sentOf('hot/0.m4s'), sent)
})

test('a reader counts, also if the process that wrote the object says so later', async () => {
  const storage = await open()
  const segment = randomBytes(1000)
  await storage.put('segments/fast/0.m4s', of(segment))
  await assertReads(storage, 'segments/fast/0.m4s', segment)
  await storage.put('segments/fast/0.m4s', of(segment))
  await assertReads(storage, 'segments/fast/0.m4s', segment)
  proxy.shut(true)
  try {
    await assertReads(storage, 'segments/fast/0.m4s', segment)
  } finally {
    proxy.shut(false)
  }
})

test('many readers at once cost one more fetch', async () => {
  const storage = await open()
  const segment = randomBytes(1_000_000)
  await storage.put('segments/many/0.m4s', of(segment))
  await assertReads(storage, 'segments/many/0.m4s', segment)
  await Promise.all(Array.from({ length: 30 }, () => assertReads(storage, 'segments/many/0.m4s', segment)))
  const fetched = s3.sentOf('many/0.m4s') / segment.length
  assert.ok(fetched < 2.2, `it was fetched ${fetched} times`)
})

test('a deleted object is gone at once, and a replaced one has only its new bytes', async () => {
  const storage = await open()
  const [first, second, third] = [randomBytes(5_000_000), randomBytes(6_000_000), randomBytes(7000)]
  await storage.put('segments/changed/0.m4s', of(first))
  for (const _ of ['first', 'second', 'third']) await assertReads(storage, 'segments/changed/0.m4s', first)
  await storage.put('segments/changed/0.m4s', of(second))
  for (const _ of ['first', 'second', 'third']) await assertReads(storage, 'segments/changed/0.m4s', second)
  // Another process replaces it, and the copy here is lost: parts of the two are never mixed.
  await (await open()).put('segments/changed/0.m4s', of(third))
  await rm(cacheDir, { recursive: true, force: true })
  const read = await readAll(storage, 'segments/changed/0.m4s').catch((error: unknown) => error)
  assert.equal((read as { reason?: string }).reason, 'replaced')
  await storage.removeUnder('segments/changed')
  assert.equal(await readAll(storage, 'segments/changed/0.m4s'), undefined)
})

test('objects and parts of films share one bound, and those read least recently go first', async () => {
  await rm(cacheDir, { recursive: true, force: true })
  const storage = await open(3_000_000)
  const segments = Array.from({ length: 8 }, () => randomBytes(1_000_000))
  for (const [number, segment] of segments.entries()) {
    const key = `segments/bound/${number}.m4s`
    await storage.put(key, of(segment))
    for (const _ of ['first', 'second']) await assertReads(storage, key, segment)
  }
  const names = await readdir(cacheDir, { recursive: true })
  const facts = await Promise.all(names.map((name) => stat(join(cacheDir, name))))
  const used = facts.reduce((sum, fact) => sum + (fact.isFile() ? fact.blocks * 512 : 0), 0)
  assert.ok(used <= 3_100_000, `${used} bytes are on the disk`)
  const sent = s3.sentOf('bound/7.m4s')
  await assertReads(storage, 'segments/bound/7.m4s', segments[7] as Buffer)
  assert.equal(s3.sentOf('bound/7.m4s'), sent)
  await assertReads(storage, 'segments/bound/0.m4s', segments[0] as Buffer)
})
