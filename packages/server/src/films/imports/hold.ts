import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.js'
import type { ImportJob } from '../film-jobs.js'
import type { RemoteFilm } from './transfer.js'

/** An import whose lease this process holds: no other process fetches it. */
export interface HeldImport extends RemoteFilm {
  readonly _id: string
  readonly site_id: string
  readonly video_id: string
  readonly held_by: string
  readonly file_name: string | null
  readonly failures: number
  /** Seconds since it began, without those in which we could not fetch it. */
  readonly age: number
}

const heldSeconds = 10
const renewEveryMs = 1000

/** The import has ended, or another process holds it now. */
export class ImportLost extends Error {}

/**
 * Takes the lease of an import, unless it has ended, has no video yet, or another process holds it. The time that nobody has fetched
 * it since its last lease or pause ended does not count.
 */
export async function takeImport(
  db: Db,
  { site_id, import_id }: Pick<ImportJob, 'site_id' | 'import_id'>,
): Promise<HeldImport | undefined> {
  const [taken] = await db<HeldImport[]>`
    update video_imports set status = 'downloading', held_by = ${randomBytes(8).toString('hex')},
      held_until = now() + make_interval(secs => ${heldSeconds}), attempts = attempts + 1,
      started_at = coalesce(started_at + (now() - held_until), now()), updated_at = now()
    where site_id = ${site_id} and _id = ${import_id} and status in ('created', 'downloading')
      and video_id is not null and (held_until is null or held_until <= now())
    returning _id, site_id, video_id, held_by, source_url, media_source_id, validator, file_name, failures,
      total_bytes::float8 as total_bytes, extract(epoch from now() - started_at)::float8 as age
  `
  return taken
}

export interface Hold {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal
  came(bytes: number): void
  /** How many bytes have arrived during this attempt. */
  gained(): number
  release(): void
}

/** Renews the lease of an import while it is fetched, stores its progress, and notices when it ends. */
export function holdImport(db: Db, held: HeldImport): Hold {
  const lost = new AbortController()
  let first: number | undefined
  let bytes: number | undefined
  let renewedAt = performance.now()
  let isRenewing = false

  async function renew(): Promise<void> {
    const [row] = await db<{ is_wanted: boolean }[]>`
      update video_imports set held_until = now() + make_interval(secs => ${heldSeconds}), updated_at = now(),
        bytes = coalesce(${bytes ?? null}, bytes),
        progress = case when total_bytes > 0 then least(100, 100.0 * coalesce(${bytes ?? null}, bytes) / total_bytes) end
      where ${mine(db, held)}
      returning (
        select deleted_at is null from videos
        where videos.site_id = video_imports.site_id and videos._id = video_imports.video_id
      ) as is_wanted
    `
    if (!row?.is_wanted) lost.abort(new ImportLost('The import was ended.'))
    renewedAt = performance.now()
  }

  const timer = setInterval(async () => {
    if (isRenewing) return
    isRenewing = true
    // A short outage of the database is harmless; after a longer one another process may have taken the lease.
    await renew().catch(() => {
      if (performance.now() - renewedAt > heldSeconds * 1000)
        lost.abort(new ImportLost('The database is away.'))
    })
    isRenewing = false
  }, renewEveryMs)

  return {
    signal: lost.signal,
    came(now) {
      first ??= now
      bytes = now
    },
    gained: () => (bytes ?? 0) - (first ?? 0),
    release: () => clearInterval(timer),
  }
}

/** Selects the import's row as long as this process holds its lease. */
export const mine = (db: Db, { site_id, _id, held_by }: HeldImport) =>
  db`video_imports.site_id = ${site_id} and video_imports._id = ${_id} and held_by = ${held_by} and status = 'downloading'`
