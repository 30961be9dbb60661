import type { Db } from '../db/database.js'
import { defineJob } from './define-job.js'

/** Makes the partitions of the next days, and drops those of events that are too old. */
export const keepEventDays = (db: Db, days: number) => db`select keep_event_days(${days})`

export const keepEvents = defineJob<unknown>({
  name: 'keep-events',
  attempts: 5,
  every: '20 */6 * * *',
  async run(_payload, { database: { db }, eventDays = 30 }) {
    await keepEventDays(db, eventDays)
  },
})
