import type { AudioTrackList } from './audio-tracks.js'
import type { Problem } from './problems.js'
import type { RungList } from './renditions.js'

/** Plays a playlist in a video element. */
export interface Engine {
  /** Retries after an error, without losing what is buffered. */
  resume(): void
  stop(): void
}

export interface EngineInput {
  readonly video: HTMLVideoElement
  readonly rungs: RungList
  readonly sounds: AudioTrackList
  readonly src: string
  /** Seconds from the beginning to start at. */
  readonly start: number
  /** Called when the engine cannot recover. */
  readonly onProblem: (problem: Problem) => void
}
