import { audioSecondsOf, targetFor, videoSeconds } from '../media/playlists.js'
import { audioPlanOf, type TrackName } from './segment-keys.js'
import type { SourcePlan } from './source-plan.js'

/** The durations of a track's segments; undefined if it is in no playlist. */
export function secondsOfTrack(plan: SourcePlan, track: TrackName): readonly number[] | undefined {
  const sound = audioPlanOf(plan, track)
  if (sound) return audioSecondsOf(sound)
  return plan.rungs.some(({ name }) => name === track) ? videoSeconds(plan.grid) : undefined
}

/** The target duration of all renditions: players that switch between them expect it to be the same. */
export function targetDurationOf({ grid, audio, surround, others = [] }: SourcePlan): number {
  const sounds = [audio, surround, ...others.map(({ plan }) => plan)]
  return targetFor(videoSeconds(grid), ...sounds.flatMap((plan) => (plan ? [audioSecondsOf(plan)] : [])))
}
