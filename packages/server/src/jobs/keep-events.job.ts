import type { Db } from '../db/database.js'
import { deletionDelay } from '../library/deletion-clock.js'
import { defineJob } from './define-job.js'

const adoptedAtOnce = 20_000
const videosAtOnce = 500

/**
 * Keeps the versions of videos whose events are too old, drops these, makes the partitions of the next days, and adopts
 * events of a restored dump. A clock that jumps ahead drops nothing at once.
 */
export async function keepEventDays(db: Db, eventDays: number): Promise<void> {
  const days = eventDays + (await deletionDelay(db))
  for (let after: string | null = ''; after !== null; ) {
    const [row]: { last: string | null }[] = await db`
      select keep_versions(${days}, ${videosAtOnce}, ${after}) as last
    `
    after = row?.last ?? null
  }
  await db`select keep_event_days(${days})`
  for (let isDone = false; !isDone; ) {
    const [row] = await db<{ done: boolean }[]>`select adopt_events(${adoptedAtOnce}) as done`
    isDone = row?.done ?? true
  }
}

export const keepEvents = defineJob<unknown>({
  name: 'keep-events',
  attempts: 5,
  every: '20 */6 * * *',
  async run(_payload, { database: { db }, eventDays }) {
    await keepEventDays(db, eventDays)
  },
})
