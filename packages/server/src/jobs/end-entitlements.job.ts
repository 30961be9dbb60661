import type { Db } from '../db/database.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

interface EndEntitlements {
  readonly site_id: string
  readonly playlist_id: string
}

const batch = 1000

/** Whether there may be others. */
async function endBatch(db: Db, { site_id, playlist_id }: EndEntitlements): Promise<boolean> {
  const [row] = await db<{ more: boolean }[]>`
    select end_entitlements(${site_id}, ${playlist_id}, ${batch}) as more
  `
  return row?.more ?? false
}

/** Deletes the entitlements to a playlist that was deleted: a few at once, many in the background. */
export async function endEntitlementsTo(tx: Db, site_id: string, playlist_id: string): Promise<void> {
  const removed = { site_id, playlist_id }
  if (await endBatch(tx, removed)) await enqueue(tx, endEntitlements, removed)
}

export const endEntitlements = defineJob<EndEntitlements>({
  name: 'end-entitlements',
  attempts: 25,
  isBackground: true,
  async run(removed, { database, signal }) {
    while (await endBatch(database.db, removed)) signal?.throwIfAborted()
  },
})
