import type { AudioPlan, OtherSound } from '../media/audio-plan.js'
import type { SourcePlan } from './source-plan.js'

export const sourceKey = (source_id: string) => `sources/${source_id}/source`
export const audioTrack = 'audio'
/** The same audio with all its channels, for sources with more than two. */
export const surroundTrack = 'surround'
/** The video of the WebM file. It is in no playlist, and is joined once complete. */
export const webmTrack = 'webm_360p'

/** A rendition of a source: the name of a rung, `audio`, `surround`, `audio_` and a number, or `webm_360p`. */
export type TrackName = string
export type Part = 'init' | number

export const trackFolder = (source_id: string, track: TrackName) => `segments/${source_id}/${track}`
export const segmentKey = (source_id: string, track: TrackName, part: Part) =>
  `${trackFolder(source_id, track)}/${part === 'init' ? 'init.mp4' : `${part}.m4s`}`

/** Whether the track is in a playlist. */
export const hasTrack = (plan: SourcePlan, track: TrackName) =>
  isSound(track) ? audioPlanOf(plan, track) !== undefined : plan.rungs.some(({ name }) => name === track)

export const isSound = (track: TrackName) =>
  track === audioTrack || track === surroundTrack || track.startsWith(`${audioTrack}_`)

/** An audio track beside the main one; undefined for all others. */
export const otherSoundOf = ({ others }: SourcePlan, track: TrackName): OtherSound | undefined =>
  others?.find((other) => other.track === track)

/** The plan of an audio track; undefined for other tracks and without audio. */
export function audioPlanOf(plan: SourcePlan, track: TrackName): AudioPlan | undefined {
  if (track === audioTrack) return plan.audio
  return track === surroundTrack ? plan.surround : otherSoundOf(plan, track)?.plan
}

/** How a track is made; costs are counted by it. */
export type EncodingMethod = 'audio' | 'copy' | 'encode'

export function wayOf({ rungs }: SourcePlan, track: TrackName): EncodingMethod {
  if (isSound(track)) return 'audio'
  return rungs.find(({ name }) => name === track)?.method ?? 'encode'
}

/**
 * Tracks of one sort are made together. The main audio track, surround, and each copied or uploaded track are made alone,
 * so the sort of a copied or uploaded track beside the main one is its name.
 */
export type Sort = EncodingMethod | 'others' | 'surround' | TrackName

export function sortOf(plan: SourcePlan, track: TrackName): Sort {
  if (track === surroundTrack) return 'surround'
  const other = otherSoundOf(plan, track)
  if (!other) return wayOf(plan, track)
  return other.plan.method === 'copy' || other.file !== undefined ? track : 'others'
}
