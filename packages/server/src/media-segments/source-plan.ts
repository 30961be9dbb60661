import { type AudioPlan, type OtherSound, planAudio, planOthers, planSurround } from '../media/audio-plan.js'
import type { Format } from '../media/formats.js'
import { type Grid, planGrid, planWindows, type Window } from '../media/grid.js'
import { planLadder, type Rung } from '../media/ladder.js'
import type { AudioFacts, SourceFacts } from '../media/source-facts.js'

/** How a source is published: decided once, because every segment depends on its grid. */
export interface SourcePlan {
  readonly facts: SourceFacts
  readonly grid: Grid
  readonly rungs: readonly Rung[]
  readonly audio: AudioPlan | undefined
  /** Absent in plans of earlier versions, and without surround sound. */
  readonly surround?: AudioPlan | undefined
  /** Further audio tracks. Absent in plans of earlier versions. */
  readonly others?: readonly OtherSound[] | undefined
  /** What the publisher says about audio tracks. It is read with the plan and not stored in it. */
  readonly labels?: Readonly<Record<string, SoundLabel>>
  readonly windows: readonly Window[]
}

/** What the publisher says about an audio track. */
export interface SoundLabel {
  readonly language: string | undefined
  /** Its name in menus, if the publisher chose one. */
  readonly name: string | undefined
  readonly kind: AudioFacts['kind']
  readonly isDefault: boolean
  readonly isHidden: boolean
}

/** A probed source that can be published. */
export interface Source {
  readonly _id: string
  readonly site_id: string
  readonly video_id: string
  readonly plan: SourcePlan
}

export function planSource(facts: SourceFacts, wanted: readonly Format[]): SourcePlan {
  const { rungs } = planLadder(facts, wanted)
  const grid = planGrid(facts, { onKeyFrames: rungs.some(({ method }) => method === 'copy') })
  const sounds = {
    audio: planAudio(facts, grid),
    surround: planSurround(facts, grid),
    others: planOthers(facts, grid),
  }
  return { facts, grid, rungs, ...sounds, windows: planWindows(grid) }
}
