import type { AudioPlan } from '../media/audio-plan.js'
import type { SourcePlan } from './source-plan.js'

export const sourceKey = (source_id: string) => `sources/${source_id}/source`
export const audioTrack = 'audio'
/** The same audio with all its channels, for sources with more than two. */
export const surroundTrack = 'surround'
/** The video of the WebM file. It is in no playlist, and is joined once complete. */
export const webmTrack = 'webm_360p'

/** A rendition of a source: the name of a rung, `audio`, `surround`, or `webm_360p`. */
export type TrackName = string
export type Part = 'init' | number

export const trackFolder = (source_id: string, track: TrackName) => `segments/${source_id}/${track}`
export const segmentKey = (source_id: string, track: TrackName, part: Part) =>
  `${trackFolder(source_id, track)}/${part === 'init' ? 'init.mp4' : `${part}.m4s`}`

/** Whether the track is in a playlist. */
export const hasTrack = (plan: SourcePlan, track: TrackName) =>
  isSound(track) ? audioPlanOf(plan, track) !== undefined : plan.rungs.some(({ name }) => name === track)

export const isSound = (track: TrackName) => track === audioTrack || track === surroundTrack

/** The plan of an audio track; undefined for other tracks and without audio. */
export function audioPlanOf({ audio, surround }: SourcePlan, track: TrackName): AudioPlan | undefined {
  if (track === audioTrack) return audio
  return track === surroundTrack ? surround : undefined
}

/** How a track is made; costs are counted by it. */
export type EncodingMethod = 'audio' | 'copy' | 'encode'

export function wayOf({ rungs }: SourcePlan, track: TrackName): EncodingMethod {
  if (isSound(track)) return 'audio'
  return rungs.find(({ name }) => name === track)?.method ?? 'encode'
}

/** Tracks of one sort are made together. Each audio track is read from the file separately. */
export type Sort = EncodingMethod | 'surround'

export const sortOf = (plan: SourcePlan, track: TrackName): Sort =>
  track === surroundTrack ? 'surround' : wayOf(plan, track)
