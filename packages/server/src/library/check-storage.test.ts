import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startS3, type TestS3 } from '../../../../test/support/s3.js'
import { openS3Storage } from '../storage/s3/s3-storage.js'
import type { Storage } from '../storage/storage.js'
import { checkStorage } from './check-storage.js'

let s3: TestS3
let storage: Storage
let folder: string
before(async () => {
  s3 = await startS3()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-check-'))
  storage = await openS3Storage(s3.settings(), { cacheDir: join(folder, 'cache'), cacheBytes: 1e9 })
})
after(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

const failed = ({ results }: Awaited<ReturnType<typeof checkStorage>>) => results.filter(({ ok }) => !ok)

test('a check tries every kind of request that films need', async () => {
  assert.deepEqual(failed(await checkStorage(storage)), [])
  for (const words of ['partNumber=2', '?uploads', 'delete'])
    assert.notEqual(s3.requestsOf(words).length, 0, words)
})

test('two checks at the same time do not disturb each other', async () => {
  const second = delay(50).then(() => checkStorage(storage))
  for (const check of [await checkStorage(storage), await second]) assert.deepEqual(failed(check), [])
})
