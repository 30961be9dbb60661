import type { FileFormat } from '../media/formats.js'
import { fitFormat, type Rung } from '../media/ladder.js'
import {
  fileTrack,
  mp4Rung,
  publishedFiles,
  publishedRungs,
  publishedTracks,
  publishesHls,
  tracksOfFile,
  type Wanted,
} from '../media-segments/published.js'
import type { TrackName } from '../media-segments/segments.js'
import type { SourcePlan } from '../media-segments/source-plan.js'

/** What is made of a track. */
export interface Made {
  readonly track: TrackName
  readonly windows: number
  readonly bytes: number
  /** A part of it was tried often enough. */
  readonly hopeless: boolean
  readonly error: string | null
}

/** How far a source is. */
export interface Standing {
  readonly plan: SourcePlan
  readonly made: ReadonlyMap<TrackName, Made>
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

const shareOf = ({ plan, made }: Standing, track: TrackName) =>
  (made.get(track)?.windows ?? 0) / plan.windows.length
export const isMade = ({ made }: Standing, file: FileFormat) => made.get(fileTrack(file))?.windows === 1

function statusOf({ made }: Standing, share: number, tracks: readonly TrackName[]): Rendition['status'] {
  if (share === 1) return 'ready'
  if (tracks.some((track) => made.get(track)?.hopeless)) return 'failed'
  return share > 0 ? 'processing' : 'waiting'
}

function renditionOf(standing: Standing, { name, width, height, averageRate }: Rung): Rendition {
  const share = shareOf(standing, name)
  const filesize = Math.round(standing.made.get(name)?.bytes ?? 0)
  return {
    name,
    status: statusOf(standing, share, [name]),
    progress: Math.floor(share * 100),
    width,
    height,
    bitrate: Math.round(share === 1 ? (filesize * 8) / standing.plan.facts.duration : averageRate),
    filesize,
  }
}

/** Of a file that is not joined yet, its windows are nearly all the work. */
const joining = 0.95
const likelySound = { mp4_360p: 128_000, webm_360p: 96_000 }
const likelyWebm = 640_000

function fileRendition(standing: Standing, name: FileFormat): Rendition {
  const { plan, made } = standing
  const { facts } = plan
  const tracks = tracksOfFile(plan, name)
  const shares = tracks.map((track) => shareOf(standing, track))
  const windows = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
  const share = isMade(standing, name) ? 1 : windows * joining
  const filesize = Math.round(made.get(fileTrack(name))?.bytes ?? 0)
  const size = name === 'mp4_360p' ? mp4Rung(plan) : facts.video && fitFormat(facts.video, name)
  const picture = name === 'mp4_360p' ? (mp4Rung(plan)?.averageRate ?? 0) : facts.video ? likelyWebm : 0
  const expected = likelySound[name] + picture
  return {
    name,
    status: statusOf(standing, share, [...tracks, fileTrack(name)]),
    progress: Math.floor(share * 100),
    width: size?.width ?? null,
    height: size?.height ?? null,
    bitrate: filesize > 0 ? Math.round((filesize * 8) / facts.duration) : expected,
    filesize,
  }
}

/** Every format that is wanted, and how far it is. */
export const renditionsOf = (standing: Standing, wanted: Wanted): Rendition[] => [
  ...publishedRungs(standing.plan, wanted).map((rung) => renditionOf(standing, rung)),
  ...publishedFiles(wanted).map((name) => fileRendition(standing, name)),
]

const waits = 'Its files are being made; no HLS format is turned on for it.'
const unwanted = 'No format is turned on for it. Turn one on for the channel or for the video.'

/** Whether a video can be played, and what to say if not. */
export function playability({ made }: Standing, wanted: Wanted, renditions: readonly Rendition[]) {
  if (publishesHls(wanted) || renditions.some(({ status }) => status === 'ready'))
    return { status: 'ready', reason: null }
  if (renditions.length === 0 || renditions.some(({ status }) => status !== 'failed'))
    return { status: 'processing', reason: renditions.length === 0 ? unwanted : waits }
  const error = [...made.values()].find(({ hopeless }) => hopeless)?.error
  return { status: 'failed', reason: error ?? 'It could not be made.' }
}

/** Sound is no rendition of its own, and has to be there too. What has failed is neither complete nor left to make. */
export function completion(standing: Standing, wanted: Wanted, renditions: readonly Rendition[]) {
  const { plan, made } = standing
  const missing = publishedTracks(plan, wanted).filter((track) => shareOf(standing, track) < 1)
  return {
    isComplete:
      wanted.length > 0 && missing.length === 0 && renditions.every(({ status }) => status === 'ready'),
    isUnfinished:
      missing.some((track) => !made.get(track)?.hopeless) ||
      renditions.some(({ status }) => status === 'waiting' || status === 'processing'),
  }
}
