import { limits } from '@zoetrope/contract'
import type { Database, Db } from '../db/database.js'
import { fetchChanged, type Validators } from '../fetching/documents/fetch-document.js'
import { type ImportableItem, type MediaFeed, readMediaFeed } from '../fetching/documents/media-feed.js'
import { FetchFailed, FetchRefused } from '../fetching/fetch-error.js'
import { type FeedKey, isWanted, takeItem, type VideoSource } from '../films/feed-items.js'
import { defineJob, type JobContext } from './define-job.js'

type RefreshedSource = VideoSource & Validators

/** Minutes before a feed that could not be read is tried again. The pause doubles each time, up to a day. */
const firstPause = 5
const longestPause = 24 * 60

/** Reads a feed, enqueues imports of its new films, and updates its videos. Each item is a transaction of its own. */
export const refreshSource = defineJob<FeedKey>({
  name: 'refresh-source',
  attempts: 5,
  waits: true,
  async run(key, context) {
    const { database, signal } = context
    const source = await begin(database.db, key)
    if (!source) return
    try {
      await read(source, context)
    } catch (error) {
      // This process is stopping; another one continues.
      if (signal?.aborted) throw error
      const isTheirs = error instanceof FetchRefused || error instanceof FetchFailed
      await fail(database.db, source, isTheirs ? error.message : ourFault)
      if (!isTheirs) throw error
    }
  },
})

const ourFault = 'Something went wrong on our side. It is tried again.'

/** Continues a reading that was interrupted, with its counts. */
async function begin(db: Db, { site_id, source_id }: FeedKey): Promise<RefreshedSource | undefined> {
  const [source] = await db<RefreshedSource[]>`
    update video_sources set reading_since = coalesce(reading_since, now())
    where site_id = ${site_id} and _id = ${source_id}
    returning site_id, _id as source_id, revision, url, auto_add, auto_activate, auto_deactivate,
      sync_video_data_source, import_from, import_to, mrss_category_values, category_id, etag, last_modified
  `
  return source
}

async function read(source: RefreshedSource, { database, media, signal }: JobContext): Promise<void> {
  const found = await fetchChanged(media, source.url, source, signal)
  if (!found) return finishUnchanged(database.db, source)
  const feed = readMediaFeed(found.root, found.url)
  const items = feed.items.slice(0, limits.video_source_items.value).filter((item) => isWanted(source, item))
  // Feeds list the newest item first. Inserting the oldest first gives the library the same order.
  for (const item of items.toReversed()) {
    signal?.throwIfAborted()
    await database.transaction((tx) => takeItem(tx, source, item))
  }
  await finish(database, source, { ...feed, taken: items, validators: found.validators })
}

interface Read extends MediaFeed {
  readonly taken: readonly ImportableItem[]
  readonly validators: Validators
}

/** Stores the result of the reading, unless the source was changed meanwhile: then another run stores its own. */
async function finish(database: Database, source: RefreshedSource, feed: Read): Promise<void> {
  const { site_id, source_id, revision } = source
  const { etag, last_modified } = feed.validators
  await database.transaction(async (tx) => {
    const [current] = await tx`
      select from video_sources
      where site_id = ${site_id} and _id = ${source_id} and revision = ${revision} for update
    `
    if (!current) return
    await leave(tx, source, feed)
    await tx`
      update video_sources set status = 'ready', status_reason = null, failures = 0, refreshed_at = now(),
        refresh_at = now() + reading_pause(sync_interval), updated_at = now(),
        name = coalesce(name, ${feed.title || null}), etag = ${etag}, last_modified = ${last_modified},
        found_count = ${feed.found}, skipped_count = ${feed.found - feed.taken.length},
        (video_count, added_count, changed_count) = (
          select count(*), count(*) filter (where added_at >= reading_since),
            count(*) filter (where changed_at >= reading_since)
          from video_source_items where site_id = ${site_id} and video_source_id = ${source_id}
        ),
        reading_since = null
      where site_id = ${site_id} and _id = ${source_id}
    `
  })
}

/** Items that are no longer in the feed, each once. An empty feed hides nothing, because it is more likely broken. */
async function leave(
  tx: Db,
  { site_id, source_id, auto_deactivate }: RefreshedSource,
  { items }: Read,
): Promise<void> {
  if (items.length === 0) return
  await tx`
    update video_source_items set is_listed = false
    where site_id = ${site_id} and video_source_id = ${source_id} and is_listed
      and guid <> all(${items.map(({ guid }) => guid)}::text[])
  `
  if (auto_deactivate) await hideGone(tx, site_id, source_id)
  // To avoid deadlocks, all code locks the video first and then its imports.
  await tx`
    update video_imports as import set active = false, updated_at = now()
    from video_source_items as item
    where import.site_id = ${site_id} and import._id = item.import_id and import.active
      and item.site_id = ${site_id} and item.video_source_id = ${source_id} and not item.is_listed
  `
}

/** Unpublishes the videos of items that have left the feed. */
async function hideGone(tx: Db, site_id: string, source_id: string): Promise<void> {
  await tx`
    with gone as (
      update video_source_items as item set is_let_go = true, is_hidden = found.active is true
      from video_source_items as known left join video_imports as import
        on import.site_id = known.site_id and import._id = known.import_id
      left join videos as found on found.site_id = known.site_id
        and found._id = coalesce(known.video_id, import.video_id) and found.deleted_at is null
      where item.site_id = ${site_id} and item.video_source_id = ${source_id}
        and not item.is_listed and not item.is_let_go
        and known.site_id = item.site_id and known.video_source_id = item.video_source_id and known.guid = item.guid
      returning found._id as video_id
    )
    update videos set active = false, updated_at = now()
    where site_id = ${site_id} and active and _id in (select video_id from gone)
  `
}

async function finishUnchanged(db: Db, { site_id, source_id, revision }: RefreshedSource): Promise<void> {
  await db`
    update video_sources set status = 'ready', status_reason = null, failures = 0, refreshed_at = now(),
      refresh_at = now() + reading_pause(sync_interval), added_count = 0, changed_count = 0, reading_since = null,
      updated_at = now()
    where site_id = ${site_id} and _id = ${source_id} and revision = ${revision}
  `
}

async function fail(
  db: Db,
  { site_id, source_id, revision }: RefreshedSource,
  reason: string,
): Promise<void> {
  await db`
    update video_sources set status = 'failed', status_reason = ${reason.slice(0, 2000)}, refreshed_at = now(),
      failures = failures + 1, reading_since = null, updated_at = now(), refresh_at = now() + make_interval(
        mins => least(${firstPause} * power(2, least(failures, 20)), ${longestPause})::integer
      )
    where site_id = ${site_id} and _id = ${source_id} and revision = ${revision}
  `
}
