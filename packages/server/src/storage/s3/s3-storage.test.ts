import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'node:test'
import { startAnyS3 } from '../../../../../test/support/any-s3.js'
import { type Subject, testStorage } from '../../../../../test/support/storage-contract.js'
import { testUploads } from '../../../../../test/support/upload-contract.js'
import { openS3Storage } from './s3-storage.js'

async function start(): Promise<Subject> {
  const s3 = await startAnyS3()
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-s3-'))
  const open = () =>
    openS3Storage(s3.settings(), {
      cacheDir: join(folder, 'cache'),
      cacheBytes: 1e9,
      patience: { pauseMs: 2, idleMs: 30_000 },
    })
  return {
    storage: await open(),
    reopen: open,
    async stop() {
      await s3.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

suite('S3 storage', () => testStorage(start))
suite('uploads to S3 storage', () => testUploads(start))
