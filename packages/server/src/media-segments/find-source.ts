import type { Db } from '../db/database.js'
import type { Caches } from '../lib/caches.js'
import { createRecent } from '../lib/recent.js'
import { readAudioTracks, withAudioTracks } from './audio-tracks.js'
import { hasTrack, isSound, type TrackName } from './segment-keys.js'
import type { Source } from './source-plan.js'

/** Reads the prepared source with this id, and the audio tracks of its video. */
export async function readSource(db: Db, site_id: string, source_id: string): Promise<Source | undefined> {
  const stored = await readStored(db, site_id, source_id)
  return stored && withAudioTracks(stored, await readAudioTracks(db, stored))
}

async function readStored(db: Db, site_id: string, source_id: string): Promise<Source | undefined> {
  const [source] = await db<Source[]>`
    select _id, site_id, video_id, plan from sources
    where site_id = ${site_id} and _id = ${source_id} and plan is not null
  `
  return source
}

const planCache = () => createRecent<Source>(60_000, 200)
/** Viewers see changed audio tracks within these milliseconds. */
const tracksMs = 2000
const sourceCache = () => createRecent<Source>(tracksMs, 200)

/**
 * The same, cached: plans never change, and audio tracks rarely. Work that must not miss a change uses `readSource`.
 * Deleted videos are refused before this is called.
 */
export function findSource(
  cache: Caches,
  db: Db,
  site_id: string,
  source_id: string,
): Promise<Source | undefined> {
  const key = `${site_id} ${source_id}`
  return cache(sourceCache).find(key, async () => {
    const stored = await cache(planCache).find(key, () => readStored(db, site_id, source_id))
    return stored && withAudioTracks(stored, await readAudioTracks(db, stored))
  })
}

const ownerCache = () => createRecent<string>(60_000, 10_000)

/** The same for addresses that name only the source. Its channel never changes. */
export async function findSourceById(cache: Caches, db: Db, source_id: string): Promise<Source | undefined> {
  const site_id = await cache(ownerCache).find(source_id, async () => {
    const [row] = await db<{ site_id: string }[]>`select site_id from sources where _id = ${source_id}`
    return row?.site_id
  })
  return site_id === undefined ? undefined : findSource(cache, db, site_id, source_id)
}

/** The source that has this track, for workers that received a request for a window. The track may be newer than the cache. */
export async function findSourceWith(
  cache: Caches,
  db: Db,
  source_id: string,
  track: TrackName,
): Promise<Source | undefined> {
  const [row] = await db<{ site_id: string }[]>`select site_id from sources where _id = ${source_id}`
  const found = row && (await findSource(cache, db, row.site_id, source_id))
  if (!found || !isSound(track) || hasTrack(found.plan, track)) return found
  return readSource(db, row.site_id, source_id)
}
