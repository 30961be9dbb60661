import { Readable } from 'node:stream'
import { startOf } from '../media/grid.js'
import { fitFormat, vp9Weight } from '../media/ladder.js'
import { makeAudioWindow, makeVideoWindow, type TakePart, type WindowOptions } from '../media/make-window.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import type { SegmentPart } from '../media/video-segments.js'
import type { Storage } from '../storage/storage.js'
import type { MediaParts } from './media-parts.js'
import { audioTrack, segmentKey, sourceKey, type TrackName, wayOf, webmTrack } from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'
import type { MadeWindow } from './window-leases.js'

/** A window of a track of a source. */
export interface TrackWindow {
  readonly track: TrackName
  readonly number: number
}

/** What one run of ffmpeg makes: some tracks of windows that follow each other, `from` up to, not including, `to`. */
export interface WindowRun {
  readonly tracks: readonly TrackName[]
  readonly from: number
  readonly to: number
}

/** As few runs as possible. Audio and the copied pictures are read from the file alone, so they go by themselves. */
export function runsFor(plan: SourcePlan, windows: readonly TrackWindow[]): WindowRun[] {
  const byWay = new Map<string, Map<number, TrackName[]>>()
  for (const { track, number } of windows) {
    const way = wayOf(plan, track)
    const tracks = byWay.get(way) ?? new Map<number, TrackName[]>()
    tracks.set(number, [...(tracks.get(number) ?? []), track].sort())
    byWay.set(way, tracks)
  }
  return [...byWay.values()].flatMap((tracks) => [...tracks].sort(([a], [b]) => a - b).reduce(lengthen, []))
}

function lengthen(runs: WindowRun[], [number, tracks]: [number, TrackName[]]): WindowRun[] {
  const last = runs.at(-1)
  const goesOn = last?.to === number && last.tracks.join() === tracks.join()
  return goesOn
    ? [...runs.slice(0, -1), { ...last, to: number + 1 }]
    : [...runs, { tracks, from: number, to: number + 1 }]
}

/** Says that the files of a window are in storage. */
type IsMade = (window: TrackWindow, made: MadeWindow) => Promise<void>

/** Makes windows of a source, in order, and says of each when it is there. */
export async function makeWindows(
  media: MediaParts,
  ffmpeg: OpenedFfmpeg,
  source: Source,
  windows: readonly TrackWindow[],
  isMade: IsMade,
  options: WindowOptions,
): Promise<void> {
  await media.storage.withLocalFile(sourceKey(source._id), async (path) => {
    for (const run of runsFor(source.plan, windows)) {
      const take = takeFor(media, source, run, isMade)
      await makeRun(ffmpeg, { path, plan: source.plan, run }, take, options)
    }
  })
}

/** Stores what a run makes. With the last segment of a window it is made. */
function takeFor(
  { storage, windows }: MediaParts,
  { _id, plan }: Source,
  { tracks, from }: WindowRun,
  isMade: IsMade,
): TakePart {
  const since = performance.now()
  const standing = partsOfRun(plan, tracks).map((part) => ({ ...part, number: from, bytes: 0, since }))
  return async (part, index) => {
    const now = standing[index]
    if (!now) throw new Error(`There is no track ${index} in this run.`)
    await keep(storage, segmentKey(_id, now.track, part.kind === 'init' ? 'init' : part.number), part)
    await windows.tell({ source_id: _id, track: now.track, number: now.number })
    if (part.kind === 'init') return
    now.bytes += part.bytes.length
    const window = plan.windows[now.number]
    if (!window || part.number + 1 !== window.to) return
    const until = performance.now()
    const spent = {
      way: wayOf(plan, now.track),
      seconds: ((until - now.since) / 1000) * now.part,
      film_seconds: startOf(plan.grid, window.to) - startOf(plan.grid, window.from),
    }
    await isMade({ track: now.track, number: now.number }, { bytes: now.bytes, spent })
    Object.assign(now, { number: now.number + 1, bytes: 0, since: until })
  }
}

async function keep(storage: Storage, key: string, { kind, bytes }: SegmentPart): Promise<void> {
  if (kind === 'init') await keepInit(storage, key, bytes)
  // One that somebody took over meanwhile may be there, and played, already.
  else if (!(await storage.stat(key))) await storage.put(key, Readable.from([bytes]))
}

/** Sizes that are made together take their time together; each has a part of it by its pixels, and VP9 more than its pixels. */
function partsOfRun(plan: SourcePlan, tracks: readonly TrackName[]): { track: TrackName; part: number }[] {
  const [only, ...others] = tracks
  if (only !== undefined && others.length === 0) return [{ track: only, part: 1 }]
  const weights = tracks.map((track) => {
    const { width, height, method } = rungOf(plan, track)
    return { track, weight: width * height * (method === 'vp9' ? vp9Weight : 1) }
  })
  const all = weights.reduce((sum, { weight }) => sum + weight, 0)
  return weights.map(({ track, weight }) => ({ track, part: weight / all }))
}

/** Every window of a track must begin alike to the byte, or players could not go from one to the next. */
async function keepInit(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const kept = await storage.read(key)
  if (!kept) {
    await storage.put(key, Readable.from([bytes]))
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of kept.body) chunks.push(chunk as Buffer)
  if (!Buffer.concat(chunks).equals(bytes))
    throw new Error('A window was made differently from those before it.')
}

interface RunWish {
  readonly path: string
  readonly plan: SourcePlan
  readonly run: WindowRun
}

function makeRun(
  ffmpeg: OpenedFfmpeg,
  { path, plan, run: { tracks, from, to } }: RunWish,
  take: TakePart,
  options: WindowOptions,
): Promise<void> {
  const { facts, grid, audio } = plan
  const [first, last] = [plan.windows[from], plan.windows[to - 1]]
  if (!first || !last) throw new Error(`There is no window ${to - 1}.`)
  const window = { from: first.from, to: last.to }
  if (tracks[0] === audioTrack && audio)
    return makeAudioWindow(ffmpeg, { source: path, facts, audio, window }, take, options)
  const rungs = tracks.map((track) => rungOf(plan, track))
  const wish = { source: path, facts, grid, window, rungs, canToneMap: ffmpeg.canToneMap }
  return makeVideoWindow(ffmpeg, { ...wish, preset: 'superfast' }, take, options)
}

function rungOf({ rungs, facts }: SourcePlan, track: TrackName) {
  if (track === webmTrack && facts.video)
    return { method: 'vp9', ...fitFormat(facts.video, webmTrack) } as const
  const rung = rungs.find(({ name }) => name === track)
  if (!rung) throw new Error(`The source has no track ${track}.`)
  return rung
}
