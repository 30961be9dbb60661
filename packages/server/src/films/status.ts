import type { Catalog, RecordOf } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { type Fragment, raw, sql } from '../db/fragment.js'

export type VideoStatus = RecordOf<Catalog['videos']>['status']

interface Move {
  /** The statuses that the event changes. In any other status the video stays as it is. */
  readonly from: readonly VideoStatus[]
  /** `before`: the status that the video had before it was deleted. */
  readonly to: VideoStatus | 'before'
}

const present: readonly VideoStatus[] = ['created', 'uploading', 'processing', 'ready', 'failed']
const notUploading: readonly VideoStatus[] = ['created', 'processing', 'ready', 'failed']
const settled: readonly VideoStatus[] = ['created', 'ready', 'failed']
const notReady: readonly VideoStatus[] = ['created', 'uploading', 'processing', 'failed']

/** Every change of a video's status: which event moves it from which status to which. */
export const moves = {
  /** A resumable upload for this video has begun. */
  upload_begun: { from: ['created'], to: 'uploading' },
  /** The last upload for this video ended without a film. */
  upload_ended: { from: ['uploading'], to: 'created' },
  /** Neither an upload nor an import works on the film that was announced. */
  upload_lost: { from: ['uploading'], to: 'failed' },
  import_begun: { from: ['created', 'uploading', 'failed'], to: 'uploading' },
  import_failed: { from: ['uploading'], to: 'failed' },
  /** The import of the first film was cancelled. */
  import_cancelled: { from: ['uploading'], to: 'created' },
  /** The import was to replace a film that cannot be played. */
  replacement_cancelled: { from: ['uploading'], to: 'failed' },
  /** The file is stored, and nothing else plays: it is prepared next. */
  film_arrived: { from: present, to: 'processing' },
  /** An attempt to prepare the film failed, and another one follows. */
  attempt_failed: { from: present, to: 'processing' },
  film_refused: { from: present, to: 'failed' },
  /** The film is prepared. `film_playable`, `film_waiting` or `film_unplayable` follows in the same write. */
  film_prepared: { from: present, to: 'processing' },
  /** While another film is on its way, the status says so, and these three do not change it. */
  film_playable: { from: notUploading, to: 'ready' },
  /** No format is wanted, or only files that are not made yet. */
  film_waiting: { from: notUploading, to: 'processing' },
  film_unplayable: { from: notUploading, to: 'failed' },
  /** A publisher tries again. What plays stays ready. */
  retried: { from: notReady, to: 'processing' },
  /** The file of a film that is being prepared no longer exists. */
  film_lost: { from: ['processing'], to: 'failed' },
  /** A video without a film of its own plays from another address. */
  plays_elsewhere: { from: settled, to: 'ready' },
  /** No address is active any more from which a video without a film played. */
  plays_nowhere: { from: settled, to: 'created' },
  removed: { from: present, to: 'deleted' },
  restored: { from: ['deleted'], to: 'before' },
} as const satisfies Readonly<Record<string, Move>>

type AnyEvent = keyof typeof moves
/** The events whose outcome does not depend on the row. */
export type StatusEvent = Exclude<AnyEvent, 'restored'>

export const changesStatus = (from: VideoStatus, event: AnyEvent): boolean =>
  (moves[event].from as readonly VideoStatus[]).includes(from)

/** The status of a video after these events, one after another. */
export const statusAfter = (from: VideoStatus, ...events: readonly StatusEvent[]): VideoStatus =>
  events.reduce((status, event) => (changesStatus(status, event) ? moves[event].to : status), from)

/** Selects one video. */
export const videoWith = (site_id: string, video_id: string | null): Fragment =>
  sql`site_id = ${site_id} and _id = ${video_id}`

// The statuses are written into the statement, not sent as parameters, so that partial indexes on the status are used.
const literal = (status: VideoStatus) => `'${status}'`
const target = (event: AnyEvent) =>
  raw(event === 'restored' ? `coalesce(status_before_removal, 'created')` : literal(moves[event].to))
const isFrom = (event: AnyEvent) => raw(`status in (${moves[event].from.map(literal).join(', ')})`)

/**
 * Moves the status of the videos that `which` selects, in the caller's transaction, and writes `columns` with it. Videos in a
 * status that the event does not change are left alone entirely. Returns how many were moved.
 */
export async function moveStatus(
  tx: Db,
  event: AnyEvent,
  which: Fragment,
  columns?: Fragment,
): Promise<number> {
  const moved = await tx`
    update videos set status = ${target(event)}, updated_at = now() ${columns ? sql`, ${columns}` : sql``}
    where ${isFrom(event)} and ${which} returning _id
  `
  return moved.length
}

/** Writes `columns` of the videos that `which` selects, and moves their status where the events change it. */
export async function writeWithStatus(
  tx: Db,
  events: readonly StatusEvent[],
  which: Fragment,
  columns: Fragment,
): Promise<void> {
  const cases = present.map((from) => `when ${literal(from)} then ${literal(statusAfter(from, ...events))}`)
  await tx`
    update videos set status = ${raw(`case status ${cases.join(' ')} else status end`)}, updated_at = now(), ${columns}
    where ${which}
  `
}

/** Moves the status that a deleted video gets back when it is restored. */
export async function moveStatusBeforeRemoval(tx: Db, event: StatusEvent, which: Fragment): Promise<void> {
  const { from, to } = moves[event]
  await tx`
    update videos set status_before_removal = ${to}, updated_at = now()
    where ${which} and status_before_removal = any(${from}::text[])
  `
}
