import { type FileFormat, type Format, fileFormats, hlsFormats } from '../media/formats.js'
import type { Rung } from '../media/ladder.js'
import { audioTrack, surroundTrack, type TrackName, webmTrack } from './segment-keys.js'
import type { Source, SourcePlan } from './source-plan.js'

/** What is wanted now: the channel's formats, except where a video's own say otherwise. */
export type Wanted = readonly Format[]

export const publishesHls = (wanted: Wanted): boolean => hlsFormats.some((name) => wanted.includes(name))

/** The rungs that viewers get. A plan has all that its source allows; if those wanted are all larger, it is the largest. */
export function publishedRungs({ rungs }: SourcePlan, wanted: Wanted): readonly Rung[] {
  const found = rungs.filter(({ name }) => wanted.includes(name))
  return found.length > 0 || !publishesHls(wanted) ? found : rungs.slice(-1)
}

/** A source as playlists have it: what is not wanted is not there. */
export function published(source: Source, wanted: Wanted): Source {
  const { plan } = source
  const { audio, surround } = publishesHls(wanted) ? plan : {}
  return { ...source, plan: { ...plan, rungs: publishedRungs(plan, wanted), audio, surround } }
}

/** The tracks of the playlists, in the order in which they are made: what every viewer needs first. */
export const publishedTracks = (plan: SourcePlan, wanted: Wanted): TrackName[] => [
  ...(plan.audio && publishesHls(wanted) ? [audioTrack] : []),
  ...publishedRungs(plan, wanted).map(({ name }) => name),
  ...(plan.surround && publishesHls(wanted) ? [surroundTrack] : []),
]

export const publishedFiles = (wanted: Wanted): FileFormat[] =>
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

/** A file has a lease and a size like a window: number 0 of a track of its own. It is also called so. */
export const fileTrack = (name: FileFormat): TrackName =>
  name === 'mp4_360p' ? 'mp4_360p.mp4' : 'webm_360p.webm'

export const filesOf = (source_id: string) => `files/${source_id}`
export const fileKey = (source_id: string, name: FileFormat) => `${filesOf(source_id)}/${fileTrack(name)}`

/** Every track that has to be there: what is published, and what files that are still to be made are joined from. */
export const neededTracks = (
  plan: SourcePlan,
  wanted: Wanted,
  isMade: (file: FileFormat) => boolean,
): ReadonlySet<TrackName> =>
  new Set([
    ...publishedTracks(plan, wanted),
    ...publishedFiles(wanted).flatMap((name) => [
      fileTrack(name),
      ...(isMade(name) ? [] : tracksOfFile(plan, name)),
    ]),
  ])
