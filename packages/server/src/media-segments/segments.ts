import { Readable } from 'node:stream'
import { fitFormat } from '../media/ladder.js'
import {
  makeAudioWindow,
  makeVideoWindow,
  makeVp9Window,
  type TakePart,
  type WindowOptions,
} from '../media/make-window.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import type { OpenedObject } from '../storage/storage.js'
import type { Need } from './encoder-turns.js'
import type { MediaParts } from './media-parts.js'
import type { Source, SourcePlan } from './source-plan.js'

export const sourceKey = (source_id: string) => `sources/${source_id}/source`
export const audioTrack = 'audio'
/** The pictures of the WebM file. No playlist names them; they are joined when all are there. */
export const webmTrack = 'webm_360p'

/** A rendition of a source: the name of a rung, `audio`, or `webm_360p`. */
export type TrackName = string
export type Part = 'init' | number

export const trackFolder = (source_id: string, track: TrackName) => `segments/${source_id}/${track}`
export const segmentKey = (source_id: string, track: TrackName, part: Part) =>
  `${trackFolder(source_id, track)}/${part === 'init' ? 'init.mp4' : `${part}.m4s`}`

/** Whether playlists name such a track. */
const hasTrack = ({ rungs, audio }: SourcePlan, track: TrackName) =>
  track === audioTrack ? audio !== undefined : rungs.some(({ name }) => name === track)

/** The init segment or a segment of a track, made if it is missing. Undefined when there is no such track or number. */
export async function readSegment(
  media: MediaParts,
  source: Source,
  track: TrackName,
  part: Part,
  signal?: AbortSignal,
): Promise<OpenedObject | undefined> {
  const { plan, _id } = source
  const segment = part === 'init' ? 0 : part
  const number = plan.windows.findIndex(({ from, to }) => segment >= from && segment < to)
  if (number < 0 || !hasTrack(plan, track)) return undefined
  // Nearly always it is there, and then nobody need be asked.
  const there = await media.storage.read(segmentKey(_id, track, part))
  if (there) return there
  const read = () => media.storage.read(segmentKey(_id, track, part))
  const ensure = () =>
    ensureWindow(media, source, track, number, { signal, nice: whileAwaited, need: 'viewer' })
  const news = () => media.windows.changed({ source_id: _id, track, number }, lookMs)
  const made = await asSoonAsMade(read, news, ensure())
  if (made) return made
  // It was made once and its files are gone, so it is made again.
  await media.windows.forget({ source_id: _id, track, number })
  return asSoonAsMade(read, news, ensure())
}

/** ffmpeg gives way to requests and to the database, and what nobody waits for gives way to what somebody does. */
export const whileAwaited = 10
export const whileUnasked = 19
/** Should a notification be lost. */
const lookMs = 500

/** A segment is whole as soon as it is there; the rest of its window, which another process may be making, need not be awaited. */
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

interface Making {
  readonly signal?: AbortSignal | undefined
  readonly nice: number
  /** Nobody waits for it unless said. */
  readonly need?: Need
}

/** Makes sure that a window of a track is there. */
export function ensureWindow(
  media: MediaParts,
  source: Source,
  track: TrackName,
  number: number,
  { signal, nice, need = 'background' }: Making,
): Promise<void> {
  const { ffmpeg } = media
  const key = { source_id: source._id, track, number }
  const make =
    ffmpeg &&
    ((ending: AbortSignal) => makeWindow(media, ffmpeg, source, track, number, { signal: ending, nice }))
  return media.windows.ensure(key, make, { signal, need, byWorkers: true })
}

async function makeWindow(
  { storage, windows }: MediaParts,
  ffmpeg: OpenedFfmpeg,
  source: Source,
  track: TrackName,
  number: number,
  options: WindowOptions,
): Promise<{ bytes: number }> {
  let bytes = 0
  const take: TakePart = async (part) => {
    const key = segmentKey(source._id, track, part.kind === 'init' ? 'init' : part.number)
    if (part.kind === 'init' && (await isKept(storage, key, part.bytes))) return
    bytes += part.bytes.length
    await storage.put(key, Readable.from([part.bytes]))
    await windows.tell({ source_id: source._id, track, number })
  }
  await storage.withLocalFile(sourceKey(source._id), (path) =>
    makeTrack(ffmpeg, { path, plan: source.plan, track, number }, take, options),
  )
  return { bytes }
}

interface TrackWish {
  readonly path: string
  readonly plan: SourcePlan
  readonly track: TrackName
  readonly number: number
}

function makeTrack(
  ffmpeg: OpenedFfmpeg,
  { path, plan, track, number }: TrackWish,
  take: TakePart,
  options: WindowOptions,
): Promise<void> {
  const { facts, grid, audio } = plan
  const window = plan.windows[number]
  if (!window) throw new Error(`There is no window ${number}.`)
  if (track === audioTrack && audio)
    return makeAudioWindow(ffmpeg, { source: path, facts, audio, window }, take, options)
  const wish = { source: path, facts, grid, window, canToneMap: ffmpeg.canToneMap }
  if (track === webmTrack && facts.video)
    return makeVp9Window(ffmpeg, { ...wish, size: fitFormat(facts.video, webmTrack) }, take, options)
  const rungs = plan.rungs.filter(({ name }) => name === track)
  if (rungs.length === 0) throw new Error(`The source has no track ${track}.`)
  return makeVideoWindow(ffmpeg, { ...wish, rungs, preset: 'superfast' }, take, options)
}

/** Every window of a track must begin alike to the byte, or players could not go from one to the next. */
async function isKept(storage: MediaParts['storage'], key: string, bytes: Buffer): Promise<boolean> {
  const kept = await storage.read(key)
  if (!kept) return false
  const chunks: Buffer[] = []
  for await (const chunk of kept.body) chunks.push(chunk as Buffer)
  if (Buffer.concat(chunks).equals(bytes)) return true
  throw new Error('A window was made differently from those before it.')
}
