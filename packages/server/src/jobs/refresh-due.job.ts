import type { Db } from '../db/database.js'
import { type Fragment, sql } from '../db/fragment.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'
import { refreshGuide } from './refresh-guide.job.js'
import { refreshSource } from './refresh-source.job.js'

const mostAtOnce = 500

/** Enqueues the reading of feeds and programme guides that are due. */
export const refreshDue = defineJob<unknown>({
  name: 'refresh-due',
  attempts: 1,
  every: '* * * * *',
  async run(_payload, { database }) {
    await database.transaction(async (tx) => {
      for (const { site_id, _id } of await takeDue(tx, 'program_guides', sql`interval '1 hour'`))
        await enqueue(tx, refreshGuide, { site_id, guide_id: _id }, { key: _id, keepsPlace: true })
      for (const { site_id, _id } of await takeDue(tx, 'video_sources', sql`reading_pause(sync_interval)`))
        await enqueue(tx, refreshSource, { site_id, source_id: _id }, { key: _id, keepsPlace: true })
    })
  },
})

/** Returns the rows that are due, and plans when they are due again. */
const takeDue = (tx: Db, table: string, pause: Fragment) => tx<{ site_id: string; _id: string }[]>`
  update ${tx(table)} set refresh_at = now() + ${pause}
  where (site_id, _id) in (
    select site_id, _id from ${tx(table)} where refresh_at <= now()
    order by refresh_at limit ${mostAtOnce} for update skip locked
  )
  returning site_id, _id
`
