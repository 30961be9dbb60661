import type { Db } from '../db/database.js'

/** How often players were asked for, gathered here and written together: no request waits for it. */
export interface RequestCounts {
  add(site_id: string, video_id: string): void
  /** Writes what was gathered. What cannot be written now is kept for the next time. */
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMs = 3000
/** Videos of which counts are gathered; more are written at once. */
const mostGathered = 10_000

export function openRequestCounts(db: Db, onError: (error: unknown) => void): RequestCounts {
  let gathered = new Map<string, number>()
  const ticking = setInterval(() => void flush(), flushMs)
  ticking.unref()

  function addTo(key: string, requests: number): void {
    gathered.set(key, (gathered.get(key) ?? 0) + requests)
  }

  async function flush(): Promise<void> {
    if (gathered.size === 0) return
    const writing = gathered
    gathered = new Map()
    const names = [...writing.keys()].map((key) => key.split(' '))
    const [sites, videos] = [0, 1].map((part) => names.map((name) => name[part] ?? ''))
    try {
      await db`
        insert into video_requests (site_id, video_id, requests)
        select * from unnest(${sites ?? []}::text[], ${videos ?? []}::text[], ${[...writing.values()]}::integer[])
      `
    } catch (error) {
      for (const [key, requests] of writing) addTo(key, requests)
      onError(error)
    }
  }

  return {
    add(site_id, video_id) {
      addTo(`${site_id} ${video_id}`, 1)
      if (gathered.size >= mostGathered) void flush()
    },
    flush,
    async close() {
      clearInterval(ticking)
      await flush()
    },
  }
}
