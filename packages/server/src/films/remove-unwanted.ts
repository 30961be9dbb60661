import type { Db } from '../db/database.js'
import { readSource } from '../media-segments/find-source.js'
import type { MediaParts } from '../media-segments/media-parts.js'
import { fileTrack, neededTracks } from '../media-segments/published.js'
import { removeTrack } from '../media-segments/remove-track.js'
import { wantedNow } from './renditions.js'

interface UnwantedTrack {
  readonly site_id: string
  readonly source_id: string
  readonly track: string
}

const step = 500

/** Removes the tracks of formats that were turned off a day ago. Signed addresses live shorter than that. */
export async function removeUnwanted(db: Db, media: MediaParts): Promise<number> {
  let removed = 0
  for (let after = { source_id: '', track: '' }; ; ) {
    const tracks = await db<UnwantedTrack[]>`
      select site_id, source_id, track from unwanted_tracks
      where since < now() - interval '24 hours' and (source_id, track) > (${after.source_id}, ${after.track})
        and not exists (
          select from media_windows as kept where kept.source_id = unwanted_tracks.source_id
            and kept.track = unwanted_tracks.track and lease_until > now()
        )
      order by source_id, track limit ${step}
    `
    for (const unwanted of tracks) if (await removeUnlessWanted(db, media, unwanted)) removed += 1
    const last = tracks.at(-1)
    if (!last || tracks.length < step) return removed
    after = last
  }
}

/** The format may have been turned on again since the track was marked. */
async function removeUnlessWanted(
  db: Db,
  media: MediaParts,
  { site_id, source_id, track }: UnwantedTrack,
): Promise<boolean> {
  const source = await readSource(db, site_id, source_id)
  const wanted = source && (await wantedNow(db, source))
  // A deleted video may be restored, with all its tracks.
  if (!wanted) return false
  const rows = await db<{ track: string }[]>`
    select track from media_windows where source_id = ${source_id} and number = 0 and made_at is not null
  `
  const made = new Set(rows.map((row) => row.track))
  const isNeeded = neededTracks(source.plan, wanted, (file) => made.has(fileTrack(file))).has(track)
  if (!isNeeded) await removeTrack(db, media, source_id, track)
  await db`delete from unwanted_tracks where source_id = ${source_id} and track = ${track}`
  return !isNeeded
}
