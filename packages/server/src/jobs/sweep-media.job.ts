import { removeUnwanted } from '../films/remove-unwanted.js'
import { sweepLibrary } from '../library/sweep.js'
import { pairingTrouble } from '../library/trouble.js'
import { defineJob } from './define-job.js'

interface Sweep {
  readonly youngest_ms?: number
  readonly marked_ms?: number
  readonly is_confirmed?: boolean
}

/** Removes what is made and no longer wanted, and sets aside the files of sources and images that no row knows. */
export const sweepMedia = defineJob<Sweep>({
  name: 'sweep-media',
  attempts: 1,
  every: '41 * * * *',
  async run({ youngest_ms, marked_ms, is_confirmed }, { database: { db }, media, log }) {
    await media.storage.sweep()
    const trouble = await pairingTrouble(db, media.storage)
    if (trouble) return log.warn({}, trouble)
    // A new film that could not be prepared is kept for a day, to be tried again.
    await db`
      with ended as (
        update videos set pending_source_id = null, updated_at = now() from sources
        where pending_source_id = sources._id and videos.site_id = sources.site_id
          and sources.status = 'failed' and sources.updated_at < now() - interval '1 day'
        returning sources.site_id, sources._id
      )
      update sources set replaced_at = now() from ended where sources.site_id = ended.site_id and sources._id = ended._id
    `
    // A source that was replaced is kept for as long as an address that was signed for it works.
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
