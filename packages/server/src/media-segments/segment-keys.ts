import type { SourcePlan } from './source-plan.js'

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
export const hasTrack = ({ rungs, audio }: SourcePlan, track: TrackName) =>
  track === audioTrack ? audio !== undefined : rungs.some(({ name }) => name === track)

/** Tracks that are made in the same way can be made by the same run of ffmpeg. */
export type Way = 'audio' | 'copy' | 'encode'

export function wayOf({ rungs }: SourcePlan, track: TrackName): Way {
  if (track === audioTrack) return 'audio'
  return rungs.find(({ name }) => name === track)?.method ?? 'encode'
}
