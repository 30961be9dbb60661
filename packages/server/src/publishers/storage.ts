import type { StorageFacts, StorageMove } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { tooMany } from '../errors.js'
import { checkStorage, keepCheck, lastCheck } from '../library/check-storage.js'
import { failuresOf, lastMove, type MoveProgress } from '../library/moves.js'
import { diskName } from '../library/places.js'
import { beginVerify, lastVerify } from '../library/verify-runs.js'
import type { EndpointResult, InChannel } from './request.js'

/** Where the films of the installation are, and how a move of them goes on. */
export async function showStorage({ parts, media }: InChannel): Promise<EndpointResult<StorageFacts>> {
  const { db } = parts.database
  const { places, storage, trouble } = media
  const [free, problem, move, check, verify, [sums]] = await Promise.all([
    storage.freeBytes(),
    trouble.look(),
    lastMove(db),
    lastCheck(db),
    lastVerify(db),
    db<{ films: number; bytes: number; made: number }[]>`
      select count(*)::int as films, coalesce(sum(bytes), 0)::float8 as bytes,
        (select coalesce(sum(bytes), 0)::float8 from made_tracks) as made
      from sources
    `,
  ])
  const { current, old } = places
  return {
    body: {
      place: current.name,
      kind: current.name === diskName ? 'disk' : 's3',
      old_place: old?.name ?? null,
      films: sums?.films ?? 0,
      bytes: sums?.bytes ?? 0,
      made_bytes: sums?.made ?? 0,
      free_bytes: free ?? null,
      problem: problem ?? null,
      move: move ? await shownMove(db, move) : null,
      check: check ?? null,
      verify: verify ?? null,
    },
  }
}

async function shownMove(
  db: Db,
  { _id, begun_at, ended_at, ...progress }: MoveProgress,
): Promise<StorageMove> {
  return {
    ...progress,
    begun_at: begun_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    failures: progress.failed_objects > 0 ? await failuresOf(db, _id) : [],
  }
}

const pauseMs = 10_000
/** When this process checked the storage last. It belongs to all channels, so the pause does too. */
const checkedAt = () => ({ time: 0 })

/** Tries what the storage can do, and keeps the result for everyone. */
export async function tryStorage(visit: InChannel): Promise<EndpointResult<StorageFacts>> {
  const { parts, media } = visit
  const last = parts.cache(checkedAt)
  const wait = last.time + pauseMs - Date.now()
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000))
  last.time = Date.now()
  await keepCheck(parts.database.db, await checkStorage(media.places.current.storage))
  return showStorage(visit)
}

/** Begins to look for every file that the database names. It goes on after the answer. */
export async function verifyStorage(visit: InChannel): Promise<EndpointResult<StorageFacts>> {
  await beginVerify(visit.parts.database.db, visit.media.storage)
  return showStorage(visit)
}
