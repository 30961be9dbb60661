import type { Problem } from './problems.js'
import type { RungList } from './renditions.js'

/** What brings a playlist into a video element. */
export interface Engine {
  /** Tries again after trouble, without losing what is buffered. */
  resume(): void
  stop(): void
}

export interface EngineInput {
  readonly video: HTMLVideoElement
  readonly rungs: RungList
  readonly src: string
  /** Seconds from the beginning to start at. */
  readonly start: number
  /** Called when it cannot go on by itself. */
  readonly onProblem: (problem: Problem) => void
}
