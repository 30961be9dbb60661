import { type FileFormat, type Format, fileFormats, hlsFormats } from '../media/formats.js'
import type { Rung } from '../media/ladder.js'
import { audioTrack, surroundTrack, type TrackName, webmTrack } from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'

/** The formats requested now: the channel's, unless the video has its own. */
export type RequestedFormats = readonly Format[]

export const publishesHls = (wanted: RequestedFormats): boolean =>
  hlsFormats.some((name) => wanted.includes(name))

/**
 * The rungs viewers get. A plan has all that its source allows; if all requested ones are larger, the largest
 * is published.
 */
export function publishedRungs({ rungs }: SourcePlan, wanted: RequestedFormats): readonly Rung[] {
  const found = rungs.filter(({ name }) => wanted.includes(name))
  return found.length > 0 || !publishesHls(wanted) ? found : rungs.slice(-1)
}

/** A source as in its playlists: without formats that are not requested. */
export function published(source: Source, wanted: RequestedFormats): Source {
  const { plan } = source
  const { audio, surround, others } = publishesHls(wanted) ? plan : {}
  return { ...source, plan: { ...plan, rungs: publishedRungs(plan, wanted), audio, surround, others } }
}

/** The tracks of the playlists, in the order in which they are made: what every viewer needs first. */
export const publishedTracks = (plan: SourcePlan, wanted: RequestedFormats): TrackName[] => [
  ...(plan.audio && publishesHls(wanted) ? [audioTrack] : []),
  ...publishedRungs(plan, wanted).map(({ name }) => name),
  ...(publishesHls(wanted) ? (plan.others ?? []).map(({ track }) => track) : []),
  ...(plan.surround && publishesHls(wanted) ? [surroundTrack] : []),
]

export const publishedFiles = (wanted: RequestedFormats): FileFormat[] =>
  fileFormats.filter((name) => wanted.includes(name))

/** The rung whose segments an MP4 is joined from. */
export const mp4Rung = ({ rungs }: SourcePlan): Rung | undefined =>
  rungs.findLast(({ name }) => name === 'hls_240p' || name === 'hls_360p')

/** The tracks that a file is joined from. */
export function tracksOfFile(plan: SourcePlan, name: FileFormat): TrackName[] {
  if (name === 'webm_360p') return plan.facts.video ? [webmTrack] : []
  const rung = mp4Rung(plan)
  return [...(plan.audio ? [audioTrack] : []), ...(rung ? [rung.name] : [])]
}

/** A file has a lease and a size like a window: window 0 of its own track, which has the file's name. */
export const fileTrack = (name: FileFormat): TrackName =>
  name === 'mp4_360p' ? 'mp4_360p.mp4' : 'webm_360p.webm'

export const filesOf = (source_id: string) => `files/${source_id}`
export const fileKey = (source_id: string, name: FileFormat) => `${filesOf(source_id)}/${fileTrack(name)}`

/** Every track that must exist: published ones, and the inputs of files still to be made. */
export const neededTracks = (
  plan: SourcePlan,
  wanted: RequestedFormats,
  isMade: (file: FileFormat) => boolean,
): ReadonlySet<TrackName> =>
  new Set([
    ...publishedTracks(plan, wanted),
    ...publishedFiles(wanted).flatMap((name) => [
      fileTrack(name),
      ...(isMade(name) ? [] : tracksOfFile(plan, name)),
    ]),
  ])
