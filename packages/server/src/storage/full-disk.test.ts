import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFileStorage } from './file-storage.js'
import { bytes, of } from './storage.contract.js'

/** A disk of four megabytes, if this user may create one. */
async function smallDisk(): Promise<{ folder: string; free(): Promise<void> } | undefined> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zoetrope-storage-')))
  try {
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    await rm(folder, { recursive: true })
    return undefined
  }
  const free = async () => {
    execFileSync('/usr/bin/umount', [folder])
    await rm(folder, { recursive: true })
  }
  return { folder, free }
}

test('a full disk is reported as full, and existing objects stay intact', async (context) => {
  const disk = await smallDisk()
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
