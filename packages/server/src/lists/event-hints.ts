import type { Db } from '../db/database.js'
import { gatherHints } from './gathered-hints.js'

/** The channel on which processes notify each other that a channel has new events. */
export const eventHints = 'zoetrope_events'

/** The channel on which workers learn that there are new events for webhooks. */
export const webhookHints = 'zoetrope_webhooks'

/** Tells other processes, a few milliseconds after a commit, that a channel may have new events. */
export interface EventHints {
  send(db: Db, siteId: string): void
}

/**
 * Hints may get lost, so readers also look by themselves now and then. A NOTIFY in the transaction of each event would
 * make all commits wait for each other.
 */
export function createEventHints(): EventHints {
  let latest: Db
  const hints = gatherHints((sites) => {
    latest`
      select pg_notify(${eventHints}, site), case when exists (
        select from webhooks where site_id = site and active
      ) then pg_notify(${webhookHints}, '') end
      from unnest(${sites}::text[]) as site
    `.catch(() => {})
  })
  return {
    send(db, siteId) {
      latest = db
      hints.add(siteId)
    },
  }
}
