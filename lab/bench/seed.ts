import type { Database, Db } from '../../packages/server/src/db/database.js'

const adjectives =
  'Quiet Golden Distant Broken Electric Hidden Northern Silver Restless Patient Crimson Hollow Wild Late Early'
const nouns =
  'River Harbour Mountain Garden Signal Winter Orchard Lantern Railway Desert Island Comet Forest Bridge Market'
const topics =
  'documentary interview concert lecture travel cooking football cycling history science comedy drama news'

/**
 * Fills a channel with `rows` videos, spread over ten years, each with about forty fields set. Drops indexes and
 * disables triggers meanwhile, and writes the counts that the triggers would have kept at the end, at once.
 */
export async function seedVideos(
  database: Database,
  siteId: string,
  rows: number,
  progress: (done: number) => void,
): Promise<void> {
  const { db } = database
  const indexes = await db<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'videos' and indexname <> 'videos_pkey'
      -- The running server looks at these every second, and they are empty here.
      and indexname not like 'videos_to_%'
  `
  for (const { name } of indexes) await db`drop index ${db(name)}`
  await db`alter table videos disable trigger user`
  await db`alter table videos enable trigger videos_written`
  const batch = 100_000
  for (let from = 0; from < rows; from += batch) {
    await unhurried(db)
    await insertBatch(db, siteId, from, Math.min(batch, rows - from), rows)
    progress(Math.min(from + batch, rows))
  }
  await db`alter table videos enable trigger user`
  await countAll(db, siteId)
  await fillSearch(db, siteId)
  for (const { definition } of indexes) {
    await unhurried(db)
    await db.unsafe(definition)
  }
  await unhurried(db)
  await db`vacuum analyze videos`
  await db`checkpoint`
}

/** Before each long step: the pool opens a new connection now and then. */
export async function unhurried(db: Db): Promise<void> {
  await db`set statement_timeout = 0`
  await db`set maintenance_work_mem = '1GB'`
}

async function insertBatch(db: Db, siteId: string, from: number, count: number, rows: number): Promise<void> {
  await db`
    with words as (
      select string_to_array(${adjectives}, ' ') as adjectives, string_to_array(${nouns}, ' ') as nouns,
        string_to_array(${topics}, ' ') as topics
    ), numbered as (
      select i, now() - interval '1 hour' - (${rows}::bigint - i) * (interval '3650 days' / ${rows}::int) as moment
      from generate_series(${from}::int, ${from + count - 1}::int) as i
    )
    insert into videos (
      _id, site_id, title, friendly_title, description, short_description, keywords, active, published_at, featured,
      mature_content, parental_guidelines_rating, country, language, genre, episode, season, series_id, source_id,
      youtube_id, discovery_url, subscription_required, purchase_required, purchase_price, rental_price, rental_duration,
      marketplace_ids, custom_attributes, status, playable_at, complete_at, transcoded, duration, precise_duration,
      rating, request_count, thumbnails, created_at, updated_at
    )
    select
      lpad(to_hex(extract(epoch from moment)::bigint), 8, '0') || lpad(to_hex(i), 16, '0'), ${siteId},
      adjectives[1 + i % 15] || ' ' || nouns[1 + (i / 15) % 15] || ' ' || i,
      lower(adjectives[1 + i % 15] || '-' || nouns[1 + (i / 15) % 15]) || '-' || i,
      'Episode ' || i || ' of a series about the ' || lower(nouns[1 + i % 15]) || ', filmed over one year by a crew of four.',
      'About the ' || lower(nouns[1 + i % 15]) || '.', array[topics[1 + i % 13], topics[1 + (i / 13) % 13]],
      i % 50 <> 0, moment, i % 20 = 0, i % 100 = 0, 'tv-pg', 'FR', 'en', topics[1 + i % 13], i % 24, i % 9, 'series-' || i % 5000,
      'src-' || i, 'yt' || i, 'https://example.com/watch/' || i, i % 3 = 0, i % 7 = 0, 4.99, 1.99, 2,
      jsonb_build_object('roku', 'r' || i), jsonb_build_object('agency', 'north', 'code', i), 'ready', moment, moment, true,
      60 + i % 7200, 60.5 + i % 7200, (i % 50) / 10.0, i % 100000,
      jsonb_build_array(jsonb_build_object('url', 'https://example.com/t/' || i || '.jpg', 'width', 640, 'height', 360,
        'aspect_ratio', 1.78, 'name', 'medium')), moment, moment
    from numbered, words
  `
}

/** Writes the words that the triggers would have kept, as the migration does. */
async function fillSearch(db: Db, siteId: string): Promise<void> {
  await unhurried(db)
  await db`drop index video_search_by_words`
  await db`
    insert into video_search (site_id, _id, created_at, active, deleted_at, words)
    select site_id, _id, created_at, active, deleted_at, words_of_video(videos) from videos where site_id = ${siteId}
  `
  await unhurried(db)
  await db`create index video_search_by_words on video_search using gin (words)`
  await unhurried(db)
  await db`
    insert into known_words (site_id, word)
    select distinct site_id, word from video_search cross join lateral learnable_words(words) as word
    where site_id = ${siteId}
  `
  await db`vacuum analyze video_search, known_words`
}

async function countAll(db: Db, siteId: string): Promise<void> {
  await unhurried(db)
  await db`
    insert into list_minutes (site_id, list, active, minute, total)
    select site_id, 'videos', active, date_trunc('minute', created_at), count(*) from videos
    where site_id = ${siteId} and deleted_at is null group by 1, 3, 4
  `
  await db`
    insert into list_days (site_id, list, active, day, total)
    select site_id, list, active, date_trunc('day', minute, 'UTC'), sum(total) from list_minutes
    where site_id = ${siteId} group by 1, 2, 3, 4
  `
  await db`insert into list_versions (site_id, list, changes) values (${siteId}, 'videos', 1)`
  await db`analyze list_minutes`
}
