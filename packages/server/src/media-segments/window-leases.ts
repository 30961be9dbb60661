import type { Db } from '../db/database.js'
import type { EncodingMethod } from './segment-keys.js'

/** One window of one track of a source. */
export interface WindowKey {
  readonly source_id: string
  readonly track: string
  readonly number: number
}

/** The outcome of claiming a window. */
export type LeaseClaim =
  | { readonly kind: 'taken'; readonly isSuspect: boolean }
  | { readonly kind: 'made' }
  | { readonly kind: 'busy'; readonly forMs: number }
  | { readonly kind: 'failed'; readonly error: string }

export const channel = 'media_windows'
export const windowName = ({ source_id, track, number }: WindowKey) => `${source_id}/${track}/${number}`

interface LeaseRow {
  readonly holder: string | null
  readonly made: boolean
  readonly hopeless: boolean
  readonly error: string | null
  readonly busy_ms: number
  readonly suspect: boolean
}

/**
 * Who makes a window, how long the lease lasts without renewal, and whether a waiting viewer may take it
 * over.
 */
export interface Holder {
  readonly name: string
  readonly leaseMs: number
  readonly yields: boolean
}

/** The holder's name: a process, and one of its pieces of work. */
export const holderName = (process: string, work: number) => `${process} ${work}`

/** After this many mishaps a window is made alone, so that no other suffers with it. */
const suspectAfter = 2

/**
 * Claims the windows of a source that are neither made, leased (unless the lease expired or was given up) nor
 * failed too often. In one statement, so that two claims for the same windows do not get half each.
 */
export async function claimWindows(
  db: Db,
  keys: readonly WindowKey[],
  { name, leaseMs, yields }: Holder,
): Promise<{ readonly key: WindowKey; readonly claim: LeaseClaim }[]> {
  // Taking over an expired lease counts as a mishap, so a window that keeps crashing workers is eventually
  // given up.
  const rows = await db<(LeaseRow & WindowKey)[]>`
    insert into media_windows as kept (source_id, track, number, holder, lease_until, yields)
    select asked.source_id, asked.track, asked.number, ${name}, now() + make_interval(secs => ${leaseMs / 1000}), ${yields}
    from unnest(
      ${keys.map(({ source_id }) => source_id)}::text[], ${keys.map(({ track }) => track)}::text[],
      ${keys.map(({ number }) => number)}::integer[]
    ) as asked (source_id, track, number)
    order by 1, 2, 3
    on conflict (source_id, track, number) do update set
      holder = case when may_take_window(kept, excluded.yields) then excluded.holder else kept.holder end,
      lease_until = case when may_take_window(kept, excluded.yields) then excluded.lease_until else kept.lease_until end,
      yields = case when may_take_window(kept, excluded.yields) then excluded.yields else kept.yields end,
      mishaps = kept.mishaps + case when kept.holder is not null and free_window(kept) then 1 else 0 end
    returning source_id, track, number, holder, made_at is not null as made, hopeless_window(kept) as hopeless, error,
      mishaps >= ${suspectAfter} as suspect,
      ceil(greatest(extract(epoch from greatest(lease_until, retry_at) - now()), 0) * 1000)::integer as busy_ms
  `
  return rows.map(({ source_id, track, number, ...row }) => ({
    key: { source_id, track, number },
    claim: claimIn(row, name),
  }))
}

function claimIn(row: LeaseRow, holder: string): LeaseClaim {
  if (row.made) return { kind: 'made' }
  if (row.holder === holder) return { kind: 'taken', isSuspect: row.suspect }
  if (row.hopeless) return { kind: 'failed', error: row.error ?? 'It could not be made.' }
  return { kind: 'busy', forMs: row.busy_ms }
}

/** The state of a window, for processes that leave it to others. */
export async function seeWindow(
  db: Db,
  { source_id, track, number }: WindowKey,
): Promise<Exclude<LeaseClaim, { kind: 'taken' }>> {
  const [row] = await db<Pick<LeaseRow, 'made' | 'hopeless' | 'error'>[]>`
    select made_at is not null as made, hopeless_window(kept) as hopeless, error from media_windows as kept
    where source_id = ${source_id} and track = ${track} and number = ${number}
  `
  if (row?.made) return { kind: 'made' }
  if (row?.hopeless) return { kind: 'failed', error: row.error ?? 'It could not be made.' }
  return { kind: 'busy', forMs: Number.POSITIVE_INFINITY }
}

/** Wakes those who wait for part of a window. */
export async function tellOfWindow(db: Db, key: WindowKey): Promise<void> {
  await db`select pg_notify(${channel}, ${windowName(key)})`
}

/** Renews leases on windows of a source; returns those still held. Work on the others must end. */
export async function renewWindows(
  db: Db,
  source_id: string,
  { name, leaseMs }: Holder,
): Promise<readonly WindowKey[]> {
  // Locks in the same order as claiming does, to avoid deadlock.
  return db<WindowKey[]>`
    with held as (
      select track, number from media_windows where source_id = ${source_id} and holder = ${name}
      order by track, number for update
    )
    update media_windows as kept set lease_until = now() + make_interval(secs => ${leaseMs / 1000})
    from held where kept.source_id = ${source_id} and kept.track = held.track and kept.number = held.number
    returning kept.source_id, kept.track, kept.number
  `
}

/** The time that making a window took, and the seconds of film in it. */
export interface Spent {
  readonly way: EncodingMethod | 'join'
  readonly seconds: number
  readonly film_seconds: number
}

/** The size of a segment, and of its header with its first frame. */
export interface SegmentSize {
  readonly bytes: number
  readonly keyBytes: number
}

/** A finished window: its size, its segments' sizes and the time taken, as far as known. */
export interface MadeWindow {
  readonly bytes: number
  readonly segments?: readonly SegmentSize[]
  readonly spent?: Spent
}

/**
 * Records that the window's files are stored, and wakes those who wait; false if another process has the
 * lease. The time taken is counted once, and that of all audio tracks beside the main one with it.
 */
export async function finishWindow(
  db: Db,
  key: WindowKey,
  holder: string,
  { bytes, segments, spent }: MadeWindow,
): Promise<boolean> {
  const { source_id, track, number } = key
  const { way = null, seconds = 0, film_seconds = 0 } = spent ?? {}
  const [sizes, keys] = [segments?.map((each) => each.bytes), segments?.map(({ keyBytes }) => keyBytes)]
  const { count } = await db`
    with finished as (
      update media_windows set made_at = now(), bytes = ${bytes}, segment_bytes = ${sizes ?? null}::integer[],
        key_bytes = ${keys ?? null}::integer[], holder = null, lease_until = null, error = null
      where source_id = ${source_id} and track = ${track} and number = ${number} and holder = ${holder}
      returning number
    ), noted as (
      insert into encoding_times as kept (site_id, track, way, seconds, film_seconds)
      select site_id, case ${way}::text when 'audio' then split_part(${track}, '_', 1) else ${track} end, ${way}::text, ${seconds}::float8, ${film_seconds}::float8 from finished
      join sources on sources._id = ${source_id} where ${way}::text is not null
      on conflict (site_id, track, way) do update set
        seconds = kept.seconds + excluded.seconds, film_seconds = kept.film_seconds + excluded.film_seconds
    )
    select pg_notify(${channel}, ${windowName(key)}) from finished
  `
  return count > 0
}

/** Why a window was not made. A mishap is not caused by the film. */
export interface WindowTrouble {
  readonly message: string
  readonly isMishap: boolean
}

/** Releases the lease after a failure; the pause before the next attempt grows each time. */
export async function releaseWindow(
  db: Db,
  key: WindowKey,
  holder: string,
  { message, isMishap }: WindowTrouble,
): Promise<void> {
  const { source_id, track, number } = key
  await db`
    with released as (
      update media_windows set holder = null, lease_until = null, error = ${message.slice(0, 500)},
        failures = failures + ${isMishap ? 0 : 1}, mishaps = mishaps + ${isMishap ? 1 : 0},
        retry_at = now() + make_interval(secs => 2 ^ (case when ${isMishap} then mishaps else failures end))
      where source_id = ${source_id} and track = ${track} and number = ${number} and holder = ${holder}
      returning number
    )
    select pg_notify(${channel}, ${windowName(key)}) from released
  `
}

/** Releases the lease without counting a failure: the work was ended from outside. */
export async function abandonWindow(db: Db, key: WindowKey, holder: string): Promise<void> {
  const { source_id, track, number } = key
  await db`
    with abandoned as (
      update media_windows set holder = null, lease_until = null
      where source_id = ${source_id} and track = ${track} and number = ${number} and holder = ${holder}
      returning number
    )
    select pg_notify(${channel}, ${windowName(key)}) from abandoned
  `
}

/** Releases all leases of a process that is known to have ended early. */
export async function endLeases(db: Db, process: string): Promise<void> {
  await db`
    with ended as (
      update media_windows set holder = null, lease_until = null, mishaps = mishaps + 1,
        error = coalesce(error, 'The process that made it ended.')
      where split_part(holder, ' ', 1) = ${process} returning source_id, track, number
    )
    select pg_notify(${channel}, source_id || '/' || track || '/' || number) from ended
  `
}

/** Allows another attempt for a window that failed too often or whose files are gone. */
export async function forgetWindow(db: Db, { source_id, track, number }: WindowKey): Promise<void> {
  await db`
    delete from media_windows
    where source_id = ${source_id} and track = ${track} and number = ${number} and holder is null
  `
}

/** Allows another attempt for every failed window of a source; returns their number. */
export async function forgetFailures(db: Db, source_id: string): Promise<number> {
  const { count } = await db`
    delete from media_windows
    where source_id = ${source_id} and made_at is null and holder is null and failures + mishaps > 0
  `
  return count
}
