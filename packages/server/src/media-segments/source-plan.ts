import type { Db } from '../db/database.js'
import { createRecent, type Recent } from '../lib/recent.js'
import { type AudioPlan, planAudio, planSurround } from '../media/audio-plan.js'
import type { Format } from '../media/formats.js'
import { type Grid, planGrid, planWindows, type Window } from '../media/grid.js'
import { planLadder, type Rung } from '../media/ladder.js'
import type { SourceFacts } from '../media/source-facts.js'

/** How a source is published: settled once, because every segment lies on its grid. */
export interface SourcePlan {
  readonly facts: SourceFacts
  readonly grid: Grid
  readonly rungs: readonly Rung[]
  readonly audio: AudioPlan | undefined
  /** Absent in plans of earlier versions, and where there is none. */
  readonly surround?: AudioPlan | undefined
  readonly windows: readonly Window[]
}

/** A source that has been looked at and can be published. */
export interface Source {
  readonly _id: string
  readonly site_id: string
  readonly video_id: string
  readonly plan: SourcePlan
}

export function planSource(facts: SourceFacts, wanted: readonly Format[]): SourcePlan {
  const { rungs } = planLadder(facts, wanted)
  const grid = planGrid(facts, { onKeyFrames: rungs.some(({ method }) => method === 'copy') })
  const sounds = { audio: planAudio(facts, grid), surround: planSurround(facts, grid) }
  return { facts, grid, rungs, ...sounds, windows: planWindows(grid) }
}

/** Plans never change, so they may be remembered; removed videos are refused before anybody asks for one. */
const plans = new WeakMap<Db, Recent<Source>>()
const maxAgeMs = 60_000
const mostKept = 200

/** The same for whoever knows no channel: workers that are asked for a window. */
export async function findSourceById(db: Db, source_id: string): Promise<Source | undefined> {
  const [row] = await db<{ site_id: string }[]>`select site_id from sources where _id = ${source_id}`
  return row && findSource(db, row.site_id, source_id)
}

/** The prepared source of this id. */
export async function findSource(db: Db, site_id: string, source_id: string): Promise<Source | undefined> {
  const recent = plans.get(db) ?? createRecent<Source>(maxAgeMs, mostKept)
  plans.set(db, recent)
  return recent.find(`${site_id} ${source_id}`, async () => {
    const [source] = await db<Source[]>`
      select _id, site_id, video_id, plan from sources
      where site_id = ${site_id} and _id = ${source_id} and plan is not null
    `
    return source
  })
}
