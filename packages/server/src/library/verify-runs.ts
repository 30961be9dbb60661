import type { StorageVerify } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { keepRecord, readRecord } from '../db/records.js'
import type { Storage } from '../storage/storage.js'
import { verifyLibrary } from './verify.js'

/** The record of the last run, which every server shows. Its time says whether the run goes on. */
interface VerifyRecord extends Omit<StorageVerify, 'is_running'> {
  readonly seen_at: string
}

const recordName = 'storage_verify'
/** A run whose server was stopped or killed says nothing for this long. */
const silentMs = 60_000

const keepVerify = (db: Db, record: Omit<VerifyRecord, 'seen_at'>): Promise<void> =>
  keepRecord(db, recordName, JSON.stringify({ ...record, seen_at: new Date().toISOString() }))

/** The last run, if there was one. */
export async function lastVerify(db: Db): Promise<StorageVerify | undefined> {
  const kept = await readRecord(db, recordName)
  if (kept === undefined) return undefined
  const { seen_at, ...record } = JSON.parse(kept) as VerifyRecord
  const isSilent = Date.now() - Date.parse(seen_at) > silentMs
  return { ...record, is_running: record.ended_at === null && !isSilent }
}

/** Verifies the library in the background, and keeps how far it is. Does nothing while another run goes on. */
export async function beginVerify(db: Db, storage: Storage): Promise<void> {
  if ((await lastVerify(db))?.is_running) return
  const begun = { begun_at: new Date().toISOString(), ended_at: null, checked: 0, missing: 0, wrong: 0 }
  const first = { ...begun, examples: [], problem: null }
  await keepVerify(db, first)
  void run(db, storage, first).catch(() => {})
}

async function run(db: Db, storage: Storage, first: Omit<VerifyRecord, 'seen_at'>): Promise<void> {
  let checked = 0
  let keptAt = performance.now()
  let keeping = Promise.resolve()
  const onProgress = (count: number) => {
    checked = count
    if (performance.now() - keptAt < 2000) return
    keptAt = performance.now()
    keeping = keeping.then(() => keepVerify(db, { ...first, checked })).catch(() => {})
  }
  const found = await verifyLibrary(db, storage, { onProgress }).then(
    ({ missing, wrong, examples }) => ({
      missing,
      wrong,
      examples: examples.slice(0, mostShown),
      problem: null,
    }),
    (error: Error) => ({ problem: error.message }),
  )
  await keeping
  await keepVerify(db, { ...first, checked, ...found, ended_at: new Date().toISOString() })
}

const mostShown = 20
