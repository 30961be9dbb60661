import type { Db } from '../../packages/server/src/db/database.js'

export interface LibrarySizes {
  /** The number of existing videos to put into the playlists. */
  readonly playlist: number
  readonly smallPlaylist: number
  readonly consumers: number
  /** The total over all consumers. One consumer has a hundredth of each. */
  readonly favorites: number
  readonly entitlements: number
}

export interface Library {
  readonly playlist: string
  readonly smallPlaylist: string
  /** The consumer with a hundredth of all favourites and entitlements. */
  readonly collector: string
  /** A consumer with a few of each. */
  readonly viewer: string
}

const idOf = (kind: string, index: number) =>
  `65f0${kind.padEnd(4, '0')}${index.toString(16).padStart(16, '0')}`

/** Adds consumers, favourites and entitlements to a channel with videos. Disables triggers that would only count. */
export async function seedLibrary(db: Db, siteId: string, sizes: LibrarySizes): Promise<Library> {
  const playlist = idOf('b1a1', 1)
  const smallPlaylist = idOf('b1a1', 2)
  await addPlaylist(db, siteId, playlist, sizes.playlist)
  await addPlaylist(db, siteId, smallPlaylist, sizes.smallPlaylist)
  await addConsumers(db, siteId, sizes.consumers)
  await addOwned(db, siteId, 'video_favorites', 'fa70', sizes.favorites, sizes.consumers)
  await db`alter table video_entitlements disable trigger video_entitlements_given`
  await addOwned(db, siteId, 'video_entitlements', 'e717', sizes.entitlements, sizes.consumers)
  await db`alter table video_entitlements enable trigger video_entitlements_given`
  await countEntitlements(db, siteId)
  for (const table of ['playlist_videos', 'consumers', 'video_favorites', 'video_entitlements'])
    await db`vacuum analyze ${db(table)}`
  return { playlist, smallPlaylist, collector: idOf('c0c0', 0), viewer: idOf('c0c0', sizes.consumers - 1) }
}

/** Uses one statement, so that the playlist is counted once. */
async function addPlaylist(db: Db, siteId: string, _id: string, count: number): Promise<void> {
  await db`
    insert into playlists (_id, site_id, title, friendly_title) values (${_id}, ${siteId}, ${`All ${count}`}, ${`all-${count}`})
  `
  await db`
    insert into playlist_videos (site_id, playlist_id, video_id, shown)
    select site_id, ${_id}, _id, active from (
      select site_id, _id, active from videos
      where site_id = ${siteId} and active and deleted_at is null order by created_at, _id limit ${count}
    ) as members
  `
}

/** Spreads consumers over ten years, so that each day and minute has a few. */
async function addConsumers(db: Db, siteId: string, count: number): Promise<void> {
  const batch = 100_000
  await db`alter table consumers disable trigger consumers_counted`
  for (let from = 0; from < count; from += batch)
    await db`
      insert into consumers (_id, site_id, email, name, terms, custom, sign_in_count, created_at, updated_at)
      select '65f0c0c0' || lpad(to_hex(i), 16, '0'), ${siteId}, 'viewer-' || i || '@example.com', 'Viewer ' || i, i % 3 = 0,
        jsonb_build_object('crm', i), i % 50, moment, moment
      from generate_series(${from}::int, ${Math.min(from + batch, count) - 1}::int) as i
      cross join lateral (
        select now() - interval '1 hour' - (${count}::int - i) * (interval '3650 days' / ${count}::int) as moment
      ) as made
    `
  await db`alter table consumers enable trigger consumers_counted`
  await countConsumers(db, siteId)
}

/** Writes the sums that the trigger would have noted. */
async function countConsumers(db: Db, siteId: string): Promise<void> {
  await db`
    insert into list_minutes (site_id, list, active, minute, total)
    select site_id, 'consumers', true, date_trunc('minute', created_at), count(*) from consumers
    where site_id = ${siteId} group by 1, 4
  `
  await db`
    insert into list_days (site_id, list, active, day, total)
    select site_id, list, active, date_trunc('day', minute, 'UTC'), sum(total) from list_minutes
    where site_id = ${siteId} and list = 'consumers' group by 1, 2, 3, 4
  `
  await db`insert into list_versions (site_id, list, changes) values (${siteId}, 'consumers', 1)`
  await db`vacuum analyze list_minutes`
}

/** Writes the counts that the trigger would have kept. */
async function countEntitlements(db: Db, siteId: string): Promise<void> {
  await db`alter table consumers disable trigger consumers_counted`
  await db`
    update consumers set video_count = held
    from (select consumer_id, count(*) as held from video_entitlements where site_id = ${siteId} group by 1) as counted
    where site_id = ${siteId} and _id = consumer_id
  `
  await db`alter table consumers enable trigger consumers_counted`
}

/** Gives every hundredth record to one consumer, and the others to all in turn. */
async function addOwned(
  db: Db,
  siteId: string,
  table: string,
  kind: string,
  count: number,
  consumers: number,
): Promise<void> {
  await db`
    with numbered as (
      select _id, (row_number() over (order by _id) - 1)::int as place from videos where site_id = ${siteId}
    ), given as (
      select i, case when i % 100 = 0 then 0 else 1 + i % (${consumers}::int - 1) end as owner,
        case when i % 100 = 0 then i / 100 else (i * 7 + i / (${consumers}::int - 1)) end as film
      from generate_series(0, ${count - 1}::int) as i
    )
    insert into ${db(table)} (_id, site_id, consumer_id, video_id, created_at, updated_at)
    select ${`65f0${kind}`} || lpad(to_hex(i), 16, '0'), ${siteId}, '65f0c0c0' || lpad(to_hex(owner), 16, '0'), numbered._id,
      moment, moment
    from given join numbered on place = film % (select count(*) from numbered)
    cross join lateral (select now() - i * interval '1 second' as moment) as made
    on conflict do nothing
  `
}
