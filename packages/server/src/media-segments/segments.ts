import type { Database } from '../db/database.js'
import type { OpenedObject } from '../storage/storage.js'
import type { Need } from './encoder-turns.js'
import { findSourceWith } from './find-source.js'
import { makeWindows, type TrackWindow } from './make-windows.js'
import type { MediaParts } from './media-parts.js'
import { hasTrack, type Part, segmentKey, type TrackName } from './segment-keys.js'
import type { Source } from './source-plan.js'
import type { MadeWindow } from './window-leases.js'
import { serveRequests } from './window-requests.js'

/**
 * The init segment or a segment of a track, made if missing. Undefined if there is no such track or number.
 */
export async function readSegment(
  media: MediaParts,
  source: Source,
  track: TrackName,
  part: Part,
  signal?: AbortSignal,
): Promise<OpenedObject | undefined> {
  const { _id } = source
  const number = windowOf(source, track, part)
  if (number === undefined) return undefined
  const read = () => media.storage.readOften(segmentKey(_id, track, part))
  // It nearly always exists, so no lease is checked.
  const there = await read()
  if (there) return there
  const ensure = () =>
    ensureWindow(media, source, track, number, { signal, nice: whileAwaited, need: 'viewer' })
  const news = () => media.windows.changed({ source_id: _id, track, number }, lookMs)
  const made = await asSoonAsMade(read, news, ensure())
  if (made) return made
  // It was made once and its files are gone, so it is made again.
  await media.windows.forget({ source_id: _id, track, number })
  return asSoonAsMade(read, news, ensure())
}

/** Where a segment is kept once it is made; undefined if there is no such track or number. */
export const keyOfSegment = (source: Source, track: TrackName, part: Part): string | undefined =>
  windowOf(source, track, part) === undefined ? undefined : segmentKey(source._id, track, part)

/** The window that a segment is made in. */
function windowOf({ plan }: Source, track: TrackName, part: Part): number | undefined {
  const segment = part === 'init' ? 0 : part
  const number = plan.windows.findIndex(({ from, to }) => segment >= from && segment < to)
  return number < 0 || !hasTrack(plan, track) ? undefined : number
}

/**
 * ffmpeg yields to requests and the database, and background work yields to work somebody waits for. Each level must leave a
 * share of a busy machine: at 19, other work that is always busy would have 68 times as much, and a film would never be complete.
 */
export const whileAwaited = 5
export const whileUnasked = 10
/** In case a notification is lost. */
const lookMs = 500

/**
 * A segment is complete as soon as it is stored, so the rest of its window, perhaps made by another process,
 * need not be awaited.
 */
async function asSoonAsMade(
  read: () => Promise<OpenedObject | undefined>,
  news: () => Promise<void>,
  making: Promise<void>,
): Promise<OpenedObject | undefined> {
  for (;;) {
    const isDone = await Promise.race([making.then(() => true), news().then(() => false)])
    const object = await read()
    if (object || isDone) return object
  }
}

interface WindowWork {
  readonly signal?: AbortSignal | undefined
  readonly nice: number
  /** Background by default. */
  readonly need?: Need
}

/** Makes a window of a track unless it exists. */
export function ensureWindow(
  media: MediaParts,
  source: Source,
  track: TrackName,
  number: number,
  { signal, nice, need = 'background' }: WindowWork,
): Promise<void> {
  const ffmpeg = media.ffmpeg.current()
  const key = { source_id: source._id, track, number }
  const make =
    ffmpeg &&
    (async (ending: AbortSignal) => {
      let made: MadeWindow = { bytes: 0 }
      const isMade = async (_: TrackWindow, window: MadeWindow) => {
        made = window
      }
      await makeWindows(media, ffmpeg, source, [key], isMade, { signal: ending, nice })
      return made
    })
  return media.windows.ensure(key, make, { signal, need, byWorkers: true })
}

/**
 * Makes windows that nobody waits for, with as few runs of ffmpeg as possible. Those being made elsewhere are
 * skipped.
 */
export async function ensureAhead(
  media: MediaParts,
  source: Source,
  windows: readonly TrackWindow[],
): Promise<void> {
  const ffmpeg = media.ffmpeg.need()
  const keyOf = ({ track, number }: TrackWindow) => ({ source_id: source._id, track, number })
  await media.windows.ensureAhead(windows.map(keyOf), (keys, isMade, signal) =>
    makeWindows(media, ffmpeg, source, keys, (window, made) => isMade(keyOf(window), made), {
      signal,
      nice: whileUnasked,
    }),
  )
}

/** From now on this process makes windows for viewers of other processes, if it has ffmpeg. */
export const makeForOthers = (database: Database, media: MediaParts): Promise<void> =>
  serveRequests(database, async ({ source_id, track, number }, signal) => {
    if (!media.ffmpeg.current()) return
    const source = await findSourceWith(media.cache, database.db, source_id, track)
    if (source)
      await ensureWindow(media, source, track, number, { signal, nice: whileAwaited, need: 'viewer' })
  })
