import type { Db } from '../db/database.js'
import { violation } from '../db/violation.js'
import { isMediaMishap, isStarved } from '../media/media-error.js'
import { hasReason, StorageError } from '../storage/storage-error.js'
import {
  abandonWindow,
  claimWindows,
  finishWindow,
  type Holder,
  type LeaseClaim,
  type MadeWindow,
  releaseWindow,
  renewWindows,
  type WindowKey,
  windowName,
} from './window-leases.js'

/** Makes the files of windows, and reports each window as soon as its files are stored. */
export type MakeAll = (
  keys: readonly WindowKey[],
  isMade: (key: WindowKey, made: MadeWindow) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

/** The state of a window after an attempt to make it. */
export interface LeaseState {
  readonly key: WindowKey
  readonly claim: Exclude<LeaseClaim, { kind: 'taken' }>
}

interface LeaseWork {
  readonly db: Db
  readonly holder: Holder
  /** Ends the work; other processes take over at once. */
  readonly closing: AbortSignal
}

/**
 * Claims the free ones of some windows, makes them together, and returns the state of all. If that fails,
 * makes each alone, so that only the cause is blamed. Throws if nothing can be made for the moment.
 */
export async function makeLeased(
  work: LeaseWork,
  keys: readonly WindowKey[],
  make: MakeAll,
): Promise<LeaseState[]> {
  const states: LeaseState[] = []
  for (let groups = [keys]; groups.length > 0; ) {
    work.closing.throwIfAborted()
    const [group = [], ...later] = groups
    const { ours, suspects } = await claimGroup(work, group, states)
    const blamed = ours.length > 0 ? await makeOurs(work, ours, make) : []
    const apart = [...blamed, ...suspects]
    const rest = ours.filter((key) => !apart.includes(key))
    groups = [...apart.map((key) => [key]), rest, ...later].filter(({ length }) => length > 0)
  }
  return states
}

/**
 * Claims the free windows of a group, but releases those that must be made alone; records the state of the
 * others.
 */
async function claimGroup({ db, holder }: LeaseWork, group: readonly WindowKey[], states: LeaseState[]) {
  const [ours, suspects]: [WindowKey[], WindowKey[]] = [[], []]
  for (const { key, claim } of await claimWindows(db, group, holder))
    if (claim.kind !== 'taken') states.push({ key, claim })
    else (claim.isSuspect && group.length > 1 ? suspects : ours).push(key)
  for (const key of suspects) await abandonWindow(db, key, holder.name)
  return { ours, suspects }
}

/** Makes windows while we hold their leases; returns those that must be made one by one. */
async function makeOurs(
  { db, holder, closing }: LeaseWork,
  keys: readonly WindowKey[],
  make: MakeAll,
): Promise<readonly WindowKey[]> {
  const held = new Map(keys.map((key) => [windowName(key), key]))
  const ending = new AbortController()
  const end = () => ending.abort(closing.reason)
  closing.addEventListener('abort', end)
  const renew = async (source_id: string) => {
    const ours = new Set((await renewWindows(db, source_id, holder)).map(windowName))
    for (const [name, key] of held) if (key.source_id === source_id && !ours.has(name)) held.delete(name)
    if (held.size === 0) ending.abort(new Error('Another process has taken over.'))
  }
  const heartbeat = setInterval(() => {
    // Without the database the lease may expire, which is detected at the end.
    for (const source_id of new Set(keys.map((key) => key.source_id))) renew(source_id).catch(() => {})
  }, holder.leaseMs / 3)
  const isMade = async (key: WindowKey, made: MadeWindow) => {
    await finishWindow(db, key, holder.name, made)
    held.delete(windowName(key))
  }
  try {
    await make(keys, isMade, ending.signal)
    if (held.size > 0) throw new Error('A window was not made.')
    return []
  } catch (error) {
    return await giveBack(db, [...held.values()], holder, ending.signal.aborted ? undefined : error)
  } finally {
    clearInterval(heartbeat)
    closing.removeEventListener('abort', end)
  }
}

/** Not caused by the film: ffmpeg was killed or is missing, the storage is broken, the database is unreachable. */
const isMishap = (error: unknown): boolean =>
  isMediaMishap(error) || error instanceof StorageError || violation(error) !== undefined

/**
 * Among several windows the cause is unknown, so none is blamed. Without an error the work was ended from
 * outside. If the media storage is away, a disk full or the machine too busy, no window can be made, and that is never so long
 * that one is given up.
 */
async function giveBack(
  db: Db,
  keys: readonly WindowKey[],
  { name }: Holder,
  error: unknown,
): Promise<readonly WindowKey[]> {
  const [first, ...more] = keys
  if (hasReason(error, 'away', 'full') || isStarved(error)) {
    for (const key of keys) await abandonWindow(db, key, name)
    throw error
  }
  if (first && error !== undefined && more.length === 0) {
    const message = error instanceof Error ? error.message : String(error)
    await releaseWindow(db, first, name, { message, isMishap: isMishap(error) })
    return []
  }
  for (const key of keys) await abandonWindow(db, key, name)
  return error === undefined ? [] : keys
}
