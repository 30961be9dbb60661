/** The two places between which films usually move, as one storage: a folder and a bucket, in both directions. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite } from 'node:test'
import { startAnyS3 } from '../../../../../test/support/any-s3.js'
import { cloneDatabase } from '../../../../../test/support/database.js'
import { type Subject, testStorage } from '../../../../../test/support/storage-contract.js'
import { testUploads } from '../../../../../test/support/upload-contract.js'
import { type Database, openDatabase } from '../../db/database.js'
import { createKeyLocks } from '../../library/key-locks.js'
import { openFileStorage } from '../file-storage.js'
import { openTwoPlaces } from '../two-places.js'
import { openS3Storage } from './s3-storage.js'

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let database: Database
before(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ connection: clone.connection, connections: 8 })
})
after(async () => {
  await database.close()
  await clone.drop()
})

const start = (to: 'disk' | 's3') => async (): Promise<Subject> => {
  const s3 = await startAnyS3()
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zoetrope-disk-and-s3-')))
  const options = {
    cacheDir: join(folder, 'cache'),
    cacheBytes: 1e9,
    patience: { pauseMs: 2, idleMs: 30_000 },
  }
  const lock = createKeyLocks(database)
  const reopen = async () => {
    const disk = await openFileStorage(join(folder, 'media'))
    const bucket = await openS3Storage(s3.settings(), options)
    return openTwoPlaces(to === 's3' ? { to: bucket, from: disk, lock } : { to: disk, from: bucket, lock })
  }
  return {
    storage: await reopen(),
    reopen,
    async stop() {
      await s3.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

for (const to of ['s3', 'disk'] as const) {
  suite(`a disk and a bucket with a move to ${to}`, () => testStorage(start(to)))
  suite(`uploads to a disk and a bucket with a move to ${to}`, () => testUploads(start(to)))
}
