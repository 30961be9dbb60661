import type { Overview, SomeVideos } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { storageUse } from '../films/quota.js'
import type { EndpointResult, InChannel, Unwritten } from './request.js'

/** This many of each kind are listed; more are only counted, up to `counted`. */
const named = 5
const counted = 1000
const soonDays = 7
const lastUploads = 6
const longestDays = 28

/** The dashboard's first page: what needs attention and what happened recently. */
export async function showOverview({ parts, media, siteId }: InChannel): Promise<EndpointResult<Overview>> {
  const { db } = parts.database
  const [failed, waiting, expiring, storage, encoding, uploads, plays] = await Promise.all([
    failedVideos(db, siteId),
    waitingVideos(db, siteId),
    expiringVideos(db, siteId),
    storageUse(db, media, siteId),
    encodingNow(db, siteId),
    newestVideos(db, siteId),
    playsByDay(db, siteId),
  ])
  return {
    body: {
      attention: { failed, waiting, expiring },
      storage: { bytes: storage.used, made_bytes: storage.made, limit_bytes: storage.limit ?? null },
      encoding,
      uploads,
      plays: { last_7_days: sumOf(plays.slice(-7)), last_28_days: sumOf(plays), by_day: plays },
    },
  }
}

type NamedVideo = SomeVideos['videos'][number]

const some = (rows: SomeVideos['videos']): SomeVideos => ({
  count: rows.length,
  videos: rows.slice(0, named),
})

const failedVideos = async (db: Db, site_id: string): Promise<SomeVideos> =>
  some(
    await db<NamedVideo[]>`
    select _id, title, status_reason, updated_at from videos
    where site_id = ${site_id} and status = 'failed' and deleted_at is null order by updated_at desc limit ${counted}
  `,
  )

const waitingVideos = async (db: Db, site_id: string): Promise<SomeVideos> =>
  some(
    await db<NamedVideo[]>`
    select _id, title, status, status_reason, created_at from videos
    where site_id = ${site_id} and status in ('uploading', 'processing') and deleted_at is null
    order by updated_at desc limit ${counted}
  `,
  )

const expiringVideos = async (db: Db, site_id: string): Promise<SomeVideos> =>
  some(
    await db<NamedVideo[]>`
    select _id, title, disable_at from videos
    where site_id = ${site_id} and disable_at is not null and active and deleted_at is null
      and disable_at between now() and now() + make_interval(days => ${soonDays})
    order by disable_at limit ${counted}
  `,
  )

/** Films that are playable while the rest is being made. */
async function encodingNow(db: Db, site_id: string): Promise<SomeVideos> {
  const videos = await db<NamedVideo[]>`
    select _id, title, updated_at from videos
    where site_id = ${site_id} and status in ('ready', 'processing') and complete_at is null
      and media_source_id is not null and deleted_at is null
    order by updated_at desc limit ${counted}
  `
  return some(videos)
}

const newestVideos = (db: Db, site_id: string) => db<Unwritten<Overview['uploads']>[number][]>`
  select _id, title, status, active, duration, created_at,
    coalesce(custom_thumbnail_url, thumbnails -> 0 ->> 'url') as thumbnail_url
  from videos
  where site_id = ${site_id} and deleted_at is null order by created_at desc, _id desc limit ${lastUploads}
`

type Day = Overview['plays']['by_day'][number]

/** Every day of the last weeks, including days without plays. */
const playsByDay = (db: Db, site_id: string): Promise<Day[]> => db<Day[]>`
  select to_char(day, 'YYYY-MM-DD') as date, coalesce(sum(plays), 0)::int as plays,
    coalesce(sum(watched_seconds), 0)::float8 as watched_seconds
  from generate_series(
    date_trunc('day', now()) - make_interval(days => ${longestDays - 1}), date_trunc('day', now()), interval '1 day'
  ) as day
  left join plays on plays.site_id = ${site_id} and plays.date >= day and plays.date < day + interval '1 day'
  group by day order by day
`

const sumOf = (days: readonly Day[]) => ({
  plays: days.reduce((sum, { plays }) => sum + plays, 0),
  watched_seconds: days.reduce((sum, { watched_seconds }) => sum + watched_seconds, 0),
})
