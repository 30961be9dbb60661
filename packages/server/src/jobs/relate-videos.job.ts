import type { Db } from '../db/database.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

interface RelateVideos {
  readonly site_id: string
  readonly playlist_id: string
  /** The last video that was handled. */
  readonly after: string
}

const batch = 1000

async function relateBatch(
  db: Db,
  { site_id, playlist_id, after }: RelateVideos,
): Promise<string | undefined> {
  const [row] = await db<{ last: string | null }[]>`
    select relate_below(${site_id}, ${playlist_id}, ${after}, ${batch}) as last
  `
  return row?.last ?? undefined
}

/** Updates the playlists of videos after a playlist above them was moved or removed: a few videos at once, many in the background. */
export async function relateBelow(tx: Db, site_id: string, playlist_id: string): Promise<void> {
  const last = await relateBatch(tx, { site_id, playlist_id, after: '' })
  if (last) await enqueue(tx, relateVideos, { site_id, playlist_id, after: last })
}

export const relateVideos = defineJob<RelateVideos>({
  name: 'relate-videos',
  attempts: 25,
  isBackground: true,
  async run({ site_id, playlist_id, after }, { database, signal }) {
    for (let last: string | undefined = after; last !== undefined; ) {
      signal?.throwIfAborted()
      last = await relateBatch(database.db, { site_id, playlist_id, after: last })
    }
  },
})
