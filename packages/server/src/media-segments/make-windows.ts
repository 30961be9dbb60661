import { Readable } from 'node:stream'
import { startOf } from '../media/grid.js'
import { fitFormat, vp9Weight } from '../media/ladder.js'
import { makeAudioWindow, makeVideoWindow, type TakePart, type WindowOptions } from '../media/make-window.js'
import type { MediaSource } from '../media/media-source.js'
import { firstSampleEnd } from '../media/mp4-boxes.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import type { SegmentPart } from '../media/video-segments.js'
import type { OpenedObject, Storage } from '../storage/storage.js'
import type { MediaParts } from './media-parts.js'
import {
  audioPlanOf,
  isSound,
  otherSoundOf,
  segmentKey,
  sortOf,
  sourceKey,
  type TrackName,
  wayOf,
  webmTrack,
} from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'
import type { MadeWindow, SegmentSize } from './window-leases.js'
import { withFilm } from './with-film.js'

/** A window of a track of a source. */
export interface TrackWindow {
  readonly track: TrackName
  readonly number: number
}

/** What one run of ffmpeg makes: some tracks of consecutive windows, `from` up to but excluding `to`. */
export interface WindowRun {
  readonly tracks: readonly TrackName[]
  readonly from: number
  readonly to: number
}

/** As few runs as possible, one for the tracks of each sort. */
export function runsFor(plan: SourcePlan, windows: readonly TrackWindow[]): WindowRun[] {
  const bySort = new Map<string, Map<number, TrackName[]>>()
  for (const { track, number } of windows) {
    const sort = sortOf(plan, track)
    const tracks = bySort.get(sort) ?? new Map<number, TrackName[]>()
    tracks.set(number, [...(tracks.get(number) ?? []), track].sort())
    bySort.set(sort, tracks)
  }
  return [...bySort.values()].flatMap((tracks) => [...tracks].sort(([a], [b]) => a - b).reduce(lengthen, []))
}

function lengthen(runs: WindowRun[], [number, tracks]: [number, TrackName[]]): WindowRun[] {
  const last = runs.at(-1)
  const goesOn = last?.to === number && last.tracks.join() === tracks.join()
  return goesOn
    ? [...runs.slice(0, -1), { ...last, to: number + 1 }]
    : [...runs, { tracks, from: number, to: number + 1 }]
}

/** Reports that the files of a window are stored. */
type IsMade = (window: TrackWindow, made: MadeWindow) => Promise<void>

/** Makes windows of a source in order, and reports each when it is stored. */
export async function makeWindows(
  media: MediaParts,
  ffmpeg: OpenedFfmpeg,
  source: Source,
  windows: readonly TrackWindow[],
  isMade: IsMade,
  options: WindowOptions,
): Promise<void> {
  const runs = runsFor(source.plan, windows)
  for (const key of new Set(runs.map((run) => fileOf(source, run))))
    await withFilm(media.storage, ffmpeg, key, async (film, reading) => {
      for (const run of runs.filter((each) => fileOf(source, each) === key)) {
        const take = takeFor(media, source, run, isMade)
        await makeRun(reading, { film, plan: source.plan, run }, take, options)
      }
    })
}

/** The file that a run reads: the film, or that of an uploaded audio track. */
const fileOf = ({ _id, plan }: Source, { tracks: [first = ''] }: WindowRun): string =>
  otherSoundOf(plan, first)?.file ?? sourceKey(_id)

/** Stores the parts of a run. A window is finished with its last segment. */
function takeFor(
  { storage, windows }: MediaParts,
  { _id, plan }: Source,
  { tracks, from }: WindowRun,
  isMade: IsMade,
): TakePart {
  const since = performance.now()
  const progress = partsOfRun(plan, tracks).map((part) => ({
    ...part,
    number: from,
    segments: [] as SegmentSize[],
    since,
  }))
  return async (part, index) => {
    const now = progress[index]
    if (!now) throw new Error(`There is no track ${index} in this run.`)
    const size = await keep(
      storage,
      segmentKey(_id, now.track, part.kind === 'init' ? 'init' : part.number),
      part,
    )
    await windows.tell({ source_id: _id, track: now.track, number: now.number })
    if (!size) return
    now.segments.push(size)
    const window = plan.windows[now.number]
    if (!window || part.kind === 'init' || part.number + 1 !== window.to) return
    const until = performance.now()
    const spent = {
      way: wayOf(plan, now.track),
      seconds: ((until - now.since) / 1000) * now.part,
      film_seconds: startOf(plan.grid, window.to) - startOf(plan.grid, window.from),
    }
    const { segments } = now
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0)
    await isMade({ track: now.track, number: now.number }, { bytes, segments, spent })
    Object.assign(now, { number: now.number + 1, segments: [], since: until })
  }
}

/** Stores a part; for a segment, returns its stored size. */
async function keep(
  storage: Storage,
  key: string,
  { kind, bytes }: SegmentPart,
): Promise<SegmentSize | undefined> {
  if (kind === 'init') {
    await keepInit(storage, key, bytes)
    return undefined
  }
  // If another process took over, a segment may already be stored and played; its bytes may differ, so it is
  // kept.
  const there = await storage.read(key)
  if (there) return segmentSize(await objectBytes(there))
  await storage.put(key, Readable.from([bytes]))
  return segmentSize(bytes)
}

const segmentSize = (segment: Buffer): SegmentSize => ({
  bytes: segment.length,
  keyBytes: firstSampleEnd(segment),
})

async function objectBytes({ body }: OpenedObject): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Sizes made together share their time by pixels; VP9 counts for more than its pixels. Audio tracks share it equally. */
function partsOfRun(plan: SourcePlan, tracks: readonly TrackName[]): { track: TrackName; part: number }[] {
  const [only, ...others] = tracks
  if (only !== undefined && others.length === 0) return [{ track: only, part: 1 }]
  const weights = tracks.map((track) => {
    if (isSound(track)) return { track, weight: 1 }
    const { width, height, method } = rungOf(plan, track)
    return { track, weight: width * height * (method === 'vp9' ? vp9Weight : 1) }
  })
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  return weights.map(({ track, weight }) => ({ track, part: weight / all }))
}

/**
 * Every window of a track must have an identical init, or players could not continue from one to the next.
 */
async function keepInit(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const kept = await storage.read(key)
  if (!kept) {
    await storage.put(key, Readable.from([bytes]))
    return
  }
  if (!(await objectBytes(kept)).equals(bytes))
    throw new Error('A window was made differently from those before it.')
}

function makeRun(
  ffmpeg: OpenedFfmpeg,
  { film, plan, run: { tracks, from, to } }: { film: MediaSource; plan: SourcePlan; run: WindowRun },
  take: TakePart,
  options: WindowOptions,
): Promise<void> {
  const { facts, grid } = plan
  const [first, last] = [plan.windows[from], plan.windows[to - 1]]
  if (!first || !last) throw new Error(`There is no window ${to - 1}.`)
  const window = { from: first.from, to: last.to }
  const sounds = tracks
    .flatMap((track) => soundOf(plan, track) ?? [])
    .map((sound) => ({ source: film, window, ...sound }))
  if (sounds.length > 0) return makeAudioWindow(ffmpeg, sounds, take, options)
  const rungs = tracks.map((track) => rungOf(plan, track))
  const request = { source: film, facts, grid, window, rungs, canToneMap: ffmpeg.canToneMap }
  return makeVideoWindow(ffmpeg, { ...request, preset: 'superfast' }, take, options)
}

/** How an audio track is made, and the facts of its file with this track as its audio. */
function soundOf(plan: SourcePlan, track: TrackName) {
  const audio = audioPlanOf(plan, track)
  const other = otherSoundOf(plan, track)
  // The times of an uploaded file do not depend on where the pictures of the film begin.
  const { lead: _, delay: __, ...uploaded } = plan.facts
  const facts = other?.file === undefined ? plan.facts : uploaded
  return audio && { audio, facts: other ? { ...facts, audio: other.audio } : facts }
}

function rungOf({ rungs, facts }: SourcePlan, track: TrackName) {
  if (track === webmTrack && facts.video)
    return { method: 'vp9', ...fitFormat(facts.video, webmTrack) } as const
  const rung = rungs.find(({ name }) => name === track)
  if (!rung) throw new Error(`The source has no track ${track}.`)
  return rung
}
