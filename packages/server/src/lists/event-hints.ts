import type { Db } from '../db/database.js'

/** The channel on which processes notify each other that a channel has new events. */
export const eventHints = 'zoetrope_events'

/** The channel on which workers learn that there are new events for webhooks. */
export const webhookHints = 'zoetrope_webhooks'

/** Tells other processes, a few milliseconds after a commit, that a channel may have new events. */
export interface EventHints {
  send(db: Db, siteId: string): void
}

const delayMs = 5

/**
 * Hints may get lost, so readers also look by themselves now and then. A NOTIFY in the transaction of each event would
 * make all commits wait for each other.
 */
export function createEventHints(): EventHints {
  const waiting = new Set<string>()
  const flush = (db: Db) => {
    const sites = [...waiting]
    waiting.clear()
    db`
      select pg_notify(${eventHints}, site), case when exists (
        select from webhooks where site_id = site and active
      ) then pg_notify(${webhookHints}, '') end
      from unnest(${sites}::text[]) as site
    `.catch(() => {})
  }
  return {
    send(db, siteId) {
      if (waiting.size === 0) setTimeout(flush, delayMs, db).unref()
      waiting.add(siteId)
    },
  }
}
