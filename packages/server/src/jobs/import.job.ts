import type { Db } from '../db/database.js'
import { ApiError } from '../errors.js'
import { FetchFailed, FetchRefused } from '../fetching/fetch-error.js'
import { enqueueImport, type ImportJob, importKind } from '../films/film-jobs.js'
import {
  beginAgain,
  endUnwanted,
  failImport,
  finishImport,
  type NextAttempt,
  noteBeginning,
} from '../films/imports/ends.js'
import { type HeldImport, type Hold, holdImport, mine, takeImport } from '../films/imports/hold.js'
import { ImportFailed, ImportRefused } from '../films/imports/import-error.js'
import { transfer } from '../films/imports/transfer.js'
import { isWithoutStorage, outageOf, reasonFor } from '../films/mishap.js'
import { roomOf } from '../films/quota.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { hasReason, StorageError } from '../storage/storage-error.js'
import { defineJob, type JobContext } from './define-job.js'

/** An import that takes longer fails. */
const longestSeconds = 24 * 3600
const speed = { idleMs: 30_000, leastBytesPerSecond: 2000 }

/** Seconds before the second attempt, the third and so on; after the last one the import fails. */
const pauses = [1, 5, 20, 60, 300]
/** Seconds after an error on our side, which does not count as a failed attempt. The pause doubles, up to five minutes. */
const ownPause = (waits: number) => Math.min(5 * 2 ** waits, 300)
/** An attempt that brings this many bytes resets the count of failures. */
const goodGain = 1_048_576

/** Fetches a film from its address, and makes it the source of its video. The next attempt continues after the bytes that have arrived. */
export const importFilm = defineJob<ImportJob>({
  ...importKind,
  waits: true,
  async run(payload, context) {
    const { database, media } = context
    const { db } = database
    const held = await takeImport(db, payload)
    if (!held) return cleanUp(payload, context)
    const hold = holdImport(db, held)
    const signals = [hold.signal, ...(context.signal ? [context.signal] : [])]
    try {
      const digested = await transfer(media, held, {
        ...speed,
        signal: AbortSignal.any(signals),
        timeoutMs: Math.max(longestSeconds - held.age, 1) * 1000,
        room: () => roomOf(db, media, held.site_id),
        begun: (brought) => noteBeginning(db, held, brought),
        came: hold.came,
      })
      await finishImport(database, media, held, digested)
    } catch (error) {
      await settle(payload, context, held, hold, error)
    } finally {
      hold.release()
    }
    // The import may have ended meanwhile.
    await cleanUp(payload, context)
  },
})

async function settle(
  payload: ImportJob,
  { database, media, signal, log }: JobContext,
  held: HeldImport,
  hold: Hold,
  error: unknown,
): Promise<void> {
  if ((await endUnwanted(database, held)) || hold.signal.aborted) return
  const { waits = 0, ...job } = payload
  const again = (next: NextAttempt, waited = 0) =>
    database.transaction(async (tx) => {
      if (await beginAgain(tx, held, next))
        await enqueueImport(tx, { ...job, waits: waited }, next.waitSeconds)
    })
  const ours = { waitSeconds: ownPause(waits), failures: held.failures, reason: null }
  // This process is stopping; another one continues.
  if (signal?.aborted) return again({ ...ours, waitSeconds: 0 })
  if (isFinal(error)) {
    await failImport(database, held, error as Error)
    return discard(media, held.media_source_id)
  }
  // However long the storage is away or full, the import goes on when it is back.
  if (isWithoutStorage(error)) {
    // Two films that are half there could otherwise wait for each other's room for ever.
    if (outageOf(error) === 'disk') await letGo(database.db, media, held)
    return again({ ...ours, reason: reasonFor(error, ''), isOutage: true }, waits + 1)
  }
  if (!isPassing(error)) {
    log.info({ err: error, import_id: held._id }, 'an import went wrong on our side')
    if (held.age <= longestSeconds) return again(ours, waits + 1)
    return failImport(database, held, new ImportFailed('It went wrong on our side too often.'))
  }
  const next = nextAttempt(error as Error, held, hold.gained())
  return next ? again(next) : failImport(database, held, error as Error)
}

/** When the other server is asked again; undefined after the last attempt. */
function nextAttempt(error: Error, held: HeldImport, gained: number): NextAttempt | undefined {
  const failures = gained >= goodGain ? 1 : held.failures + 1
  const pause = pauses[failures - 1]
  if (pause === undefined || held.age > longestSeconds) return undefined
  const asked = error instanceof ImportFailed ? error.waitSeconds : 0
  return { waitSeconds: Math.max(pause, asked), failures, reason: error.message }
}

const isFinal = (error: unknown) =>
  error instanceof FetchRefused ||
  error instanceof ImportRefused ||
  (error instanceof ApiError && error.status === 413) ||
  hasReason(error, 'too_large')

const isPassing = (error: unknown) =>
  error instanceof FetchFailed || error instanceof ImportFailed || error instanceof StorageError

/** Removes the bytes of an import that has ended. An import that another process holds is looked at again when its lease ends. */
async function cleanUp(payload: ImportJob, { database: { db }, media }: JobContext): Promise<void> {
  const { site_id, import_id, media_source_id } = payload
  const [held] = await db<{ seconds: number }[]>`
    select greatest(1, extract(epoch from held_until - now()))::float8 as seconds from video_imports
    where site_id = ${site_id} and _id = ${import_id} and status in ('created', 'downloading')
      and held_by is not null and held_until is not null
  `
  if (held) return enqueueImport(db, payload, held.seconds)
  const kept = await db`
    select from sources where _id = ${media_source_id}
    union all
    select from video_imports where media_source_id = ${media_source_id} and status in ('created', 'downloading', 'failed')
  `
  if (kept.length === 0) await discard(media, media_source_id)
}

/** Removes the bytes that have arrived so far. A complete film is kept. */
async function letGo(db: Db, { storage }: MediaParts, held: HeldImport): Promise<void> {
  await (await storage.openUpload(sourceKey(held.media_source_id))).abort()
  await db`update video_imports set bytes = 0, progress = null where ${mine(db, held)}`
}

async function discard({ storage }: MediaParts, media_source_id: string): Promise<void> {
  await (await storage.openUpload(sourceKey(media_source_id))).abort()
  await storage.remove(sourceKey(media_source_id))
}
