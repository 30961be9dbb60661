import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.js'
import type { Film } from './transfer.js'

/** An import as its row says, held by this process: nobody else fetches it. */
export interface HeldImport extends Film {
  readonly _id: string
  readonly site_id: string
  readonly video_id: string
  readonly held_by: string
  readonly file_name: string | null
  readonly failures: number
  /** For how many seconds it has been under way. */
  readonly age: number
}

export interface ImportKey {
  readonly site_id: string
  readonly import_id: string
}

const heldSeconds = 10
const tellEveryMs = 1000

/** The import is somebody else's now, or was ended. */
export class ImportLost extends Error {}

/** Takes the import, unless it has ended, waits for a video, or somebody else has it. */
export async function takeImport(db: Db, { site_id, import_id }: ImportKey): Promise<HeldImport | undefined> {
  const [taken] = await db<HeldImport[]>`
    update video_imports set status = 'downloading', held_by = ${randomBytes(8).toString('hex')},
      held_until = now() + make_interval(secs => ${heldSeconds}), attempts = attempts + 1,
      started_at = coalesce(started_at, now()), updated_at = now()
    where site_id = ${site_id} and _id = ${import_id} and status in ('created', 'downloading')
      and video_id is not null and (held_until is null or held_until <= now())
    returning _id, site_id, video_id, held_by, source_url, media_source_id, validator, file_name, failures,
      total_bytes::float8 as total_bytes, extract(epoch from now() - started_at)::float8 as age
  `
  return taken
}

export interface Hold {
  /** Aborts when the import is lost. */
  readonly signal: AbortSignal
  came(bytes: number): void
  /** How many bytes have come during this attempt. */
  gained(): number
  release(): void
}

/** Keeps the import while it is fetched, tells in its row how far it is, and notices its end. */
export function holdImport(db: Db, held: HeldImport): Hold {
  const lost = new AbortController()
  let first: number | undefined
  let bytes: number | undefined
  let toldAt = performance.now()
  let isTelling = false

  async function tell(): Promise<void> {
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
    toldAt = performance.now()
  }

  const timer = setInterval(async () => {
    if (isTelling) return
    isTelling = true
    // A database that is away for a moment costs nothing; for longer, and another process may have taken the import.
    await tell().catch(() => {
      if (performance.now() - toldAt > heldSeconds * 1000) lost.abort(new ImportLost('The database is away.'))
    })
    isTelling = false
  }, tellEveryMs)

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

/** Which row, as long as it is held by this process and not ended. */
export const mine = (db: Db, { site_id, _id, held_by }: HeldImport) =>
  db`video_imports.site_id = ${site_id} and video_imports._id = ${_id} and held_by = ${held_by} and status = 'downloading'`
