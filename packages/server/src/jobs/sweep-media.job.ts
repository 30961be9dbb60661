import { removeUnwanted } from '../films/remove-unwanted.js'
import { removeMoved } from '../library/moved.js'
import { sweepLibrary } from '../library/sweep.js'
import { libraryTrouble } from '../library/trouble.js'
import { storagesIn } from '../storage/two-places.js'
import { defineJob } from './define-job.js'

/** Removes renditions that are no longer enabled, and sets aside files of sources and images without a row. */
export const sweepMedia = defineJob<{ youngest_ms?: number; marked_ms?: number; is_confirmed?: boolean }>({
  name: 'sweep-media',
  attempts: 1,
  every: '41 * * * *',
  async run({ youngest_ms, marked_ms, is_confirmed }, { database: { db }, media, log }) {
    await media.storage.sweep()
    const trouble = await libraryTrouble(db, media.places, media.lease)
    if (trouble) return log.warn({}, trouble)
    let moved = 0
    // Films that were moved away and back leave originals in both places.
    for (const place of storagesIn(media.places)) moved += await removeMoved(place)
    if (moved > 0) log.info({ removed: moved }, 'removed what was moved to another storage a day ago')
    // A film that could not be prepared is kept for a day, so that it can be retried.
    await db`
      with ended as (
        update videos set pending_source_id = null, updated_at = now() from sources
        where pending_source_id = sources._id and videos.site_id = sources.site_id
          and sources.status = 'failed' and sources.updated_at < now() - interval '1 day'
        returning sources.site_id, sources._id
      )
      update sources set replaced_at = now() from ended where sources.site_id = ended.site_id and sources._id = ended._id
    `
    // A replaced source is kept as long as signed addresses of it work.
    await db`delete from sources where replaced_at < now() - interval '1 day'`
    const unwanted = await removeUnwanted(db, media)
    if (unwanted > 0) log.info({ removed: unwanted }, 'removed renditions whose format was turned off')
    const { waits, ...done } = await sweepLibrary(db, media.storage, {
      ...(youngest_ms === undefined ? {} : { youngestMs: youngest_ms }),
      ...(marked_ms === undefined ? {} : { markedMs: marked_ms }),
      ...(is_confirmed === undefined ? {} : { isConfirmed: is_confirmed }),
    })
    if (Object.values(done).some((count) => count > 0)) log.info(done, 'swept the media storage')
    if (waits) log.warn({}, waits)
  },
})
