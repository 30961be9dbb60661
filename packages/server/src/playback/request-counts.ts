import type { Db } from '../db/database.js'
import { openGathered } from './event-batch.js'

/** Counts player requests per video. */
export interface RequestCounts {
  add(site_id: string, video_id: string): void
  flush(): Promise<void>
  close(): Promise<void>
}

export function openRequestCounts(db: Db, onError: (error: unknown) => void): RequestCounts {
  const { add, flush, close } = openGathered<number>({
    onError,
    merge: (before, requests) => before + requests,
    async write(counts) {
      const names = [...counts.keys()].map((key) => key.split(' '))
      const [sites, videos] = [0, 1].map((part) => names.map((name) => name[part] ?? ''))
      await db`
        insert into video_requests (site_id, video_id, requests)
        select * from unnest(${sites ?? []}::text[], ${videos ?? []}::text[], ${[...counts.values()]}::integer[])
      `
    },
  })
  return {
    add(site_id, video_id) {
      add(`${site_id} ${video_id}`, 1)
    },
    flush,
    close,
  }
}
