import type { Db } from '../db/database.js'
import type { Caches } from '../lib/caches.js'
import { createRecent } from '../lib/recent.js'
import { type AudioPlan, type OtherSound, planAudio, planOthers, planSurround } from '../media/audio-plan.js'
import type { Format } from '../media/formats.js'
import { type Grid, planGrid, planWindows, type Window } from '../media/grid.js'
import { planLadder, type Rung } from '../media/ladder.js'
import type { SourceFacts } from '../media/source-facts.js'

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
  readonly windows: readonly Window[]
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

/** Reads the prepared source with this id. */
export async function readSource(db: Db, site_id: string, source_id: string): Promise<Source | undefined> {
  const [source] = await db<Source[]>`
    select _id, site_id, video_id, plan from sources
    where site_id = ${site_id} and _id = ${source_id} and plan is not null
  `
  return source
}

const planCache = () => createRecent<Source>(60_000, 200)

/** The same, cached: plans never change. Deleted videos are refused before this is called. */
export const findSource = (
  cache: Caches,
  db: Db,
  site_id: string,
  source_id: string,
): Promise<Source | undefined> =>
  cache(planCache).find(`${site_id} ${source_id}`, () => readSource(db, site_id, source_id))

/** The same without a channel, for workers that received a request for a window. */
export async function findSourceById(cache: Caches, db: Db, source_id: string): Promise<Source | undefined> {
  const [row] = await db<{ site_id: string }[]>`select site_id from sources where _id = ${source_id}`
  return row && findSource(cache, db, row.site_id, source_id)
}
