import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startS3 } from '../../../../test/support/s3.js'
import { smallDisk } from '../../../../test/support/small-disk.js'
import { bytes, of } from '../../../../test/support/storage-contract.js'
import { openFileStorage } from './file-storage.js'
import { openS3Storage } from './s3/s3-storage.js'

test('a full disk is reported as full, and existing objects stay intact', async (context) => {
  const disk = await smallDisk('4m')
  if (!disk) return context.skip('This user may not make a small disk.')
  try {
    const storage = await openFileStorage(disk.folder)
    await storage.put('film/a', of(bytes(1_000_000)))
    const upload = await storage.openUpload('film/b')
    assert.equal(await upload.append(of(bytes(1_000_000)), 0), 1_000_000)
    const tooMuch = () => of(...Array.from({ length: 40 }, () => bytes(100_000)))
    const full = { reason: 'full', message: /disk of the media storage is full/ }
    await assert.rejects(storage.put('film/a', tooMuch()), full)
    assert.ok(((await storage.freeBytes()) ?? 0) > 1_500_000)
    await assert.rejects(upload.append(tooMuch(), 1_000_000), full)
    assert.ok((await upload.offset()) >= 1_000_000)
    await upload.abort()
    await storage.put('film/c', of(bytes(2_000_000)))
    assert.equal((await storage.stat('film/a'))?.size, 1_000_000)
  } finally {
    await disk.free()
  }
})

test('films of a bucket are read on while the disk of the cache is full', async (context) => {
  const disk = await smallDisk('4m')
  if (!disk) return context.skip('This user may not make a small disk.')
  const s3 = await startS3()
  try {
    const storage = await openS3Storage(s3.settings(), { cacheDir: disk.folder, cacheBytes: 1e9 })
    const film = Buffer.from(bytes(18_000_000))
    await storage.put('film/a', of(film))
    const parts = await storage.openParts('film/a')
    assert.ok(parts)
    for (const range of [
      { start: 0, end: film.length },
      { start: 9_000_000, end: 9_000_100 },
    ]) {
      const chunks: Uint8Array[] = []
      for await (const chunk of parts.read(range)) chunks.push(chunk)
      assert.ok(Buffer.concat(chunks).equals(film.subarray(range.start, range.end)))
    }
  } finally {
    await s3.stop()
    await disk.free()
  }
})
