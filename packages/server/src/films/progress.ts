import type { FileFormat } from '../media/formats.js'
import { fitFormat, type Rung } from '../media/ladder.js'
import {
  fileTrack,
  mp4Rung,
  publishedFiles,
  publishedRungs,
  publishedTracks,
  publishesHls,
  type RequestedFormats,
  tracksOfFile,
} from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segment-keys.js'
import type { SourcePlan } from '../media-segments/source-plan.js'
import type { StatusEvent } from './status.js'

/** How much of a track is made. */
export interface MadeTrack {
  readonly track: TrackName
  readonly windows: number
  readonly bytes: number
  /** One of its windows was given up. */
  readonly hopeless: boolean
  readonly error: string | null
}

/** How much of a source is made. */
export interface SourceProgress {
  readonly plan: SourcePlan
  readonly made: ReadonlyMap<TrackName, MadeTrack>
}

export interface Rendition {
  readonly name: string
  readonly status: 'waiting' | 'processing' | 'ready' | 'failed'
  readonly progress: number
  readonly width: number | null
  readonly height: number | null
  readonly bitrate: number
  readonly filesize: number
}

const shareOf = ({ plan, made }: SourceProgress, track: TrackName) =>
  (made.get(track)?.windows ?? 0) / plan.windows.length
export const isMade = ({ made }: SourceProgress, file: FileFormat) => made.get(fileTrack(file))?.windows === 1

function statusOf(
  { made }: SourceProgress,
  share: number,
  tracks: readonly TrackName[],
): Rendition['status'] {
  if (share === 1) return 'ready'
  if (tracks.some((track) => made.get(track)?.hopeless)) return 'failed'
  return share > 0 ? 'processing' : 'waiting'
}

function renditionOf(progress: SourceProgress, { name, width, height, averageRate }: Rung): Rendition {
  const share = shareOf(progress, name)
  const filesize = Math.round(progress.made.get(name)?.bytes ?? 0)
  return {
    name,
    status: statusOf(progress, share, [name]),
    progress: Math.floor(share * 100),
    width,
    height,
    bitrate: Math.round(share === 1 ? (filesize * 8) / progress.plan.facts.duration : averageRate),
    filesize,
  }
}

/** The progress of a file whose windows are made and that is not joined yet. */
const joining = 0.95
const likelySound = { mp4_360p: 128_000, webm_360p: 96_000 }
const likelyWebm = 640_000

function fileRendition(progress: SourceProgress, name: FileFormat): Rendition {
  const { plan, made } = progress
  const { facts } = plan
  const tracks = tracksOfFile(plan, name)
  const shares = tracks.map((track) => shareOf(progress, track))
  const windows = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
  const share = isMade(progress, name) ? 1 : windows * joining
  const filesize = Math.round(made.get(fileTrack(name))?.bytes ?? 0)
  const size = name === 'mp4_360p' ? mp4Rung(plan) : facts.video && fitFormat(facts.video, name)
  const picture = name === 'mp4_360p' ? (mp4Rung(plan)?.averageRate ?? 0) : facts.video ? likelyWebm : 0
  const expected = likelySound[name] + picture
  return {
    name,
    status: statusOf(progress, share, [...tracks, fileTrack(name)]),
    progress: Math.floor(share * 100),
    width: size?.width ?? null,
    height: size?.height ?? null,
    bitrate: filesize > 0 ? Math.round((filesize * 8) / facts.duration) : expected,
    filesize,
  }
}

/** Every wanted format, and its progress. */
export const renditionsOf = (progress: SourceProgress, wanted: RequestedFormats): Rendition[] => [
  ...publishedRungs(progress.plan, wanted).map((rung) => renditionOf(progress, rung)),
  ...publishedFiles(wanted).map((name) => fileRendition(progress, name)),
]

const waits = 'Its files are being made; no HLS format is turned on for it.'
const unwanted = 'No format is turned on for it. Turn one on for the channel or for the video.'

/** Whether a video can be played, as an event for its status, and the reason if not. */
export function playability(
  { made }: SourceProgress,
  wanted: RequestedFormats,
  renditions: readonly Rendition[],
): { readonly event: StatusEvent; readonly reason: string | null } {
  if (publishesHls(wanted) || renditions.some(({ status }) => status === 'ready'))
    return { event: 'film_playable', reason: null }
  if (renditions.length === 0 || renditions.some(({ status }) => status !== 'failed'))
    return { event: 'film_waiting', reason: renditions.length === 0 ? unwanted : waits }
  const error = [...made.values()].find(({ hopeless }) => hopeless)?.error
  return { event: 'film_unplayable', reason: error ?? 'It could not be made.' }
}

/** Sound is not a rendition, but it must be made too. What has failed is neither complete nor left to make. */
export function completion(
  progress: SourceProgress,
  wanted: RequestedFormats,
  renditions: readonly Rendition[],
) {
  const { plan, made } = progress
  const missing = publishedTracks(plan, wanted).filter((track) => shareOf(progress, track) < 1)
  return {
    isComplete:
      wanted.length > 0 && missing.length === 0 && renditions.every(({ status }) => status === 'ready'),
    isUnfinished:
      missing.some((track) => !made.get(track)?.hopeless) ||
      renditions.some(({ status }) => status === 'waiting' || status === 'processing'),
  }
}
