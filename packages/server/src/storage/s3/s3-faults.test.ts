import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { startAnyS3 } from '../../../../../test/support/any-s3.js'
import { seededRandom } from '../../../../../test/support/random.js'
import { type FaultProxy, startFaultProxy } from '../../../../../test/support/s3-faults.js'
import { bytes, of, type Subject, sha256, testStorage } from '../../../../../test/support/storage-contract.js'
import { testUploads } from '../../../../../test/support/upload-contract.js'
import { StorageError } from '../storage-error.js'
import { openS3Storage } from './s3-storage.js'

const patience = { pauseMs: 1, idleMs: 30_000 }

async function startBehindFaults(rate = 0.1): Promise<Subject & { proxy: FaultProxy }> {
  const s3 = await startAnyS3()
  const proxy = await startFaultProxy(s3.port, { rate, random: seededRandom('faults') })
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-s3-'))
  const options = { cacheDir: join(folder, 'cache'), cacheBytes: 1e9, patience }
  const open = () => openS3Storage(s3.settings({ host: `127.0.0.1:${proxy.port}` }), options)
  return {
    proxy,
    storage: await open(),
    reopen: open,
    mayLoseReaders: true,
    async stop() {
      await proxy.stop()
      await s3.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

suite('S3 storage behind a faulty network', () => testStorage(startBehindFaults))
suite('uploads to S3 storage behind a faulty network', () => testUploads(startBehindFaults))

test('many requests fail in some way, and no byte of a large file is lost', async () => {
  const { storage, reopen, proxy, stop } = await startBehindFaults(0.4)
  try {
    const film = Buffer.concat([bytes(9_000_000, 'a'), bytes(9_000_000, 'b'), bytes(1_000_000, 'c')])
    const written = await storage.put('film/a', of(film.subarray(0, 5_000_000), film.subarray(5_000_000)))
    assert.deepEqual(written, { size: film.length, sha256: sha256(film) })
    await (await storage.openUpload('film/b')).append(of(film.subarray(0, 10_000_000)), 0)
    const second = await (await reopen()).openUpload('film/b')
    assert.equal(await second.append(of(film.subarray(10_000_000)), 10_000_000), film.length)
    assert.deepEqual(await second.finish(), written)
    for (const key of ['film/a', 'film/b']) {
      const object = await storage.read(key)
      assert.ok(object && (await buffer(object.body)).equals(film), key)
      await storage.withLocalFile(key, async () => {})
    }
    const happened = Object.values(proxy.counts).reduce((sum, count) => sum + count, 0)
    assert.ok(happened > 10, `only ${happened} faults`)
  } finally {
    await stop()
  }
})

test('a store that always fails is an error that says so, and never a short object', async () => {
  const { storage, proxy, stop } = await startBehindFaults(0)
  try {
    await storage.put('away/a', of(bytes(32_000_000)))
    const object = await storage.read('away/a')
    await proxy.stop()
    const isAway = (error: unknown) => error instanceof StorageError && error.reason === 'away'
    await assert.rejects(storage.read('away/a'), isAway)
    await assert.rejects(storage.put('away/b', of('x')), isAway)
    await assert.rejects(async () => object && (await buffer(object.body)), isAway)
  } finally {
    await stop()
  }
})
