import { catalog } from '@zoetrope/contract'
import { deletionTime } from '../library/deletion-clock.js'
import { defineJob } from './define-job.js'

const batch = 1000

/** Deletes for good what was deleted longer ago than `keptDays` of its definition, in short steps. */
export const purgeRemoved = defineJob<unknown>({
  name: 'purge-removed',
  attempts: 3,
  every: '17 * * * *',
  async run(_payload, { database: { db }, log }) {
    const now = await deletionTime(db)
    for (const { plural, keptDays } of Object.values(catalog)) {
      if (keptDays === undefined) continue
      let removed = 0
      let count = batch
      while (count === batch) {
        const result = await db`
          delete from ${db(plural)} where (site_id, _id) in (
            select site_id, _id from ${db(plural)}
            where deleted_at <= ${now}::timestamptz - make_interval(days => ${keptDays}) limit ${batch}
          )
        `
        count = result.count
        removed += count
      }
      if (removed > 0) log.info({ list: plural, removed }, 'ended records that were removed long ago')
    }
  },
})
