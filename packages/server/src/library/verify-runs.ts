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
/** A run says this often how far it is, also while it waits for a slow store. */
const saidMs = 2000

type Progress = Omit<VerifyRecord, 'seen_at'>

const seenNow = (progress: Progress) => JSON.stringify({ ...progress, seen_at: new Date().toISOString() })

const keepVerify = (db: Db, progress: Progress): Promise<void> =>
  keepRecord(db, recordName, seenNow(progress))

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
  const begun = { begun_at: new Date().toISOString(), ended_at: null, checked: 0, missing: 0, wrong: 0 }
  const first = { ...begun, examples: [], problem: null }
  if (await claimRun(db, first)) void run(db, storage, first).catch(() => {})
}

/** Notes that a run begins; false if one goes on. Of two servers that ask at once, one gets it. */
async function claimRun(db: Db, first: Progress): Promise<boolean> {
  const silentSince = new Date(Date.now() - silentMs).toISOString()
  const claimed = await db`
    insert into installation as old (name, value) values (${recordName}, ${seenNow(first)})
    on conflict (name) do update set value = excluded.value
    where old.value::jsonb ->> 'ended_at' is not null or old.value::jsonb ->> 'seen_at' < ${silentSince}
    returning name
  `
  return claimed.length > 0
}

async function run(db: Db, storage: Storage, first: Progress): Promise<void> {
  let checked = 0
  let saying = Promise.resolve()
  const say = () => {
    saying = saying.then(() => keepVerify(db, { ...first, checked })).catch(() => {})
  }
  const ticking = setInterval(say, saidMs).unref()
  const onProgress = (count: number) => {
    checked = count
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
  clearInterval(ticking)
  await saying
  await keepVerify(db, { ...first, checked, ...found, ended_at: new Date().toISOString() })
}

const mostShown = 20
