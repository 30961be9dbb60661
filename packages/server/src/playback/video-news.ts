import { createHash } from 'node:crypto'
import type { Db } from '../db/database.js'
import { progressOf } from '../films/renditions.js'
import { findSource } from '../media-segments/find-source.js'
import type { Parts } from '../resources/feature.js'

/** A video of a channel. */
export interface VideoKey {
  readonly site_id: string
  readonly video_id: string
}

export const groups = ['status', 'thumbnails', 'progress'] as const
type Group = (typeof groups)[number]

/** The state of a video being prepared, in the groups in which it is sent, each as JSON. */
export interface VideoNews extends Readonly<Record<Group, string>> {
  /** All groups together. */
  readonly all: string
  /** The final message. */
  readonly end: string
  /** A fingerprint: the same for the same state. */
  readonly id: string
  /** The sources whose segments change it. */
  readonly sources: readonly string[]
  /** A film is being uploaded or imported, which changes the state without a notification. */
  readonly isArriving: boolean
  /** Nothing more will change without a new request. */
  readonly hasEnded: boolean
}

/** A film that is being uploaded or imported. */
interface Arrival {
  readonly kind: 'upload' | 'import'
  readonly progress: number | null
  readonly bytes: number
  readonly total_bytes: number | null
}

interface RenditionProgress {
  readonly status: string
  readonly progress: number
}

interface NewsRecord {
  readonly status: string
  readonly complete_at: string | null
  readonly thumbnails: readonly unknown[]
  readonly renditions: readonly RenditionProgress[]
  readonly data_sources: readonly { readonly status: string }[]
  readonly [field: string]: unknown
}

const shownFields = [
  ...['_id', 'status', 'status_reason', 'playable_at', 'complete_at', 'duration', 'precise_duration'],
  ...['transcoded', 'data_sources'],
] as const

interface NewsRow {
  readonly record: string
  readonly media_source_id: string | null
  readonly pending_source_id: string | null
  readonly arrival: Arrival | null
}

type NewsParts = Pick<Parts, 'database' | 'cache'>

/** The current state of a video; undefined if it does not exist. */
export async function readNews(
  parts: NewsParts,
  { site_id, video_id }: VideoKey,
): Promise<VideoNews | undefined> {
  const { db } = parts.database
  const [row] = await db<NewsRow[]>`
    select record, media_source_id, pending_source_id, (${arrivalOf(db)}) as arrival from videos
    where site_id = ${site_id} and _id = ${video_id} and deleted_at is null
  `
  if (!row) return undefined
  const record = JSON.parse(row.record) as NewsRecord
  const { thumbnails, complete_at } = record
  const renditions = await renditionsOf(parts, site_id, row, record)
  const status = Object.fromEntries(shownFields.map((field) => [field, record[field] ?? null]))
  const progress = { progress: overall(renditions), renditions, arrival: row.arrival }
  const all = JSON.stringify({ ...status, ...progress, thumbnails })
  return {
    status: JSON.stringify(status),
    progress: JSON.stringify(progress),
    thumbnails: JSON.stringify({ thumbnails }),
    all,
    end: JSON.stringify({ status: record.status, complete_at }),
    id: createHash('sha256').update(all).digest('base64url').slice(0, 16),
    sources: [row.media_source_id, row.pending_source_id].filter((each) => each !== null),
    isArriving: row.arrival !== null,
    hasEnded: row.arrival === null && hasEnded(record, renditions),
  }
}

const arrivalOf = (db: Db) => db`
  select row_to_json(arrival) from (
    select 'import' as kind, progress, bytes, total_bytes from video_imports
    where video_imports.site_id = videos.site_id and video_id = videos._id
      and video_imports.status in ('created', 'downloading')
    union all
    select 'upload', progress, "offset", length from uploads
    where uploads.site_id = videos.site_id and video_id = videos._id and finished_at is null and expires_at > now()
    limit 1
  ) as arrival
`

/** Records store progress only now and then. While a video is being made, segments are counted. */
async function renditionsOf(
  { database: { db }, cache }: NewsParts,
  site_id: string,
  { media_source_id }: NewsRow,
  { status, complete_at, renditions }: NewsRecord,
): Promise<readonly RenditionProgress[]> {
  const isMoving = status === 'ready' && complete_at === null && media_source_id !== null
  const source = isMoving && (await findSource(cache, db, site_id, media_source_id))
  return source ? progressOf(db, source) : renditions
}

/** Per cent over all renditions. */
const overall = (renditions: readonly RenditionProgress[]): number =>
  Math.floor(renditions.reduce((sum, { progress }) => sum + progress, 0) / Math.max(1, renditions.length))

function hasEnded(
  { status, complete_at, data_sources }: NewsRecord,
  renditions: readonly RenditionProgress[],
) {
  if (data_sources.some((source) => source.status === 'processing')) return false
  if (status !== 'ready') return status === 'failed'
  const isSettled = (rendition: RenditionProgress) =>
    rendition.status === 'failed' || rendition.status === 'ready'
  return (
    complete_at !== null ||
    (renditions.some((each) => each.status === 'failed') && renditions.every(isSettled))
  )
}
