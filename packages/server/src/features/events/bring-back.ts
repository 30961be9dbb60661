import type { Db } from '../../db/database.js'
import { raw } from '../../db/fragment.js'
import { violation } from '../../db/violation.js'
import { ApiError, invalid } from '../../errors.js'
import { relateBelow } from '../../jobs/relate-videos.job.js'
import { quoted } from '../../resources/columns.js'
import type { EventRow } from './record.js'

type RowState = Readonly<Record<string, unknown>>

interface DeletedRow {
  readonly resource: string
  readonly state: RowState
  /** The same, with the columns that events do not contain, as hstore. */
  readonly text: string
}

/**
 * The tables of which deleted rows are kept (db/generated/history.sql), those that others refer to first. Credentials are not
 * among them: a revoked one stays revoked.
 */
export const keptTables: readonly string[] = [
  ...['content_rule_profiles', 'categories', 'category_content_rules', 'playlists', 'playlist_content_rules'],
  ...['plans', 'pass_plans', 'zobject_types', 'zobjects', 'webhooks', 'consumers'],
  ...['transactions', 'subscriptions', 'redemption_codes', 'video_entitlements'],
  ...['playlist_entitlements', 'video_favorites', 'video_ratings', 'playlist_videos', 'zobject_videos'],
  ...['zobject_playlists', 'feeds', 'program_guides', 'video_sources', 'video_source_items', 'ad_tags'],
  ...[
    'ad_timings',
    'segments',
    'subtitles',
    'subtitle_playlists',
    'video_content_rules',
    'self_hosted_sources',
  ],
  'image_files',
]

/** What triggers count again when the rows that belong to a record are inserted. */
const counted: Readonly<Record<string, RowState>> = {
  playlists: { playlist_item_count: 0, related_video_ids: [] },
  zobject_types: { zobject_count: 0 },
  zobjects: { video_ids: [], playlist_ids: [] },
  consumers: {
    video_count: 0,
    playlist_count: 0,
    pass_count: 0,
    transaction_count: 0,
    payment_providers: [],
  },
}

/** Inserts a deleted record again under its old id, with the rows that were deleted with it. */
export async function bringBack(
  tx: Db,
  site_id: string,
  { xact, step, resource, record_id }: EventRow,
): Promise<void> {
  // What is still being deleted in the background stays; this waits for the batch that is.
  await tx`
    delete from removed_playlists where site_id = ${site_id} and xact = ${xact}::text::xid8 and step = ${step}
  `
  const deleted = await tx<DeletedRow[]>`
    select resource, hstore_to_json(state) as state, (state || kept)::text as text from events
    where site_id = ${site_id} and xact = ${xact}::text::xid8 and step = ${step} and kept is not null
  `
  const rows = belonging(deleted, resource, record_id ?? '')
  if (rows.length === 0) throw invalid('This deletion can no longer be undone.')
  await tx`select set_config('zoetrope.restores', ${record_id}, true)`
  const shown = await shownVideos(tx, site_id, rows)
  try {
    for (const table of keptTables)
      await insertRows(
        tx,
        table,
        rows.filter((row) => row.resource === table),
        ({ video_id }) => (table === 'playlist_videos' ? { shown: shown.has(video_id) } : counted[table]),
      )
  } catch (error) {
    throw explained(error)
  }
  if (resource === 'playlists') await relateAgain(tx, site_id, record_id ?? '', rows)
  await tx`select set_config('zoetrope.restores', '', true)`
}

/**
 * Returns which videos of a deleted playlist viewers may see today: some may have been hidden or deleted after it. Locks the
 * videos before the rows that belong to them, as every change of a video does.
 */
async function shownVideos(
  tx: Db,
  site_id: string,
  rows: readonly DeletedRow[],
): Promise<ReadonlySet<unknown>> {
  const ids = rows.flatMap(({ resource, state }) =>
    resource === 'playlist_videos' ? [String(state.video_id)] : [],
  )
  if (ids.length === 0) return new Set()
  const videos = await tx<{ _id: string; shown: boolean }[]>`
    select _id, active and deleted_at is null as shown from videos
    where site_id = ${site_id} and _id = any(${ids}::text[]) order by _id for update
  `
  return new Set(videos.filter(({ shown }) => shown).map(({ _id }) => _id))
}

/** Shows the playlist on its videos again. */
async function relateAgain(tx: Db, site_id: string, id: string, rows: readonly DeletedRow[]): Promise<void> {
  const inside = rows.filter(({ resource }) => resource === 'playlist_videos')
  await tx`select relate_videos(${site_id}, ${inside.map(({ state }) => String(state.video_id))}::text[])`
  await relateBelow(tx, site_id, id)
}

/** A write may have deleted several records: takes one, and all that refers to it. */
function belonging(deleted: readonly DeletedRow[], table: string, id: string): readonly DeletedRow[] {
  const root = deleted.find(({ resource, state }) => resource === table && state._id === id)
  if (!root) return []
  const taken = new Set([root])
  const ids = new Set<unknown>([id])
  for (let size = 0; size < taken.size; ) {
    size = taken.size
    for (const row of deleted) {
      if (taken.has(row) || !refersTo(row.state, ids)) continue
      taken.add(row)
      if (row.state._id) ids.add(row.state._id)
    }
  }
  return [...taken]
}

const refersTo = (state: RowState, ids: ReadonlySet<unknown>): boolean =>
  Object.entries(state).some(([name, value]) => name.endsWith('_id') && name !== '_id' && ids.has(value))

/** Inserts rows as they were, apart from the columns that have changed since. */
async function insertRows(
  tx: Db,
  table: string,
  rows: readonly DeletedRow[],
  changesOf: (state: RowState) => RowState | undefined,
): Promise<void> {
  if (rows.length === 0) return
  const columns = await tx<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
  `
  const names = raw(columns.map(({ name }) => quoted(name)).join(', '))
  const texts = rows.map(({ text }) => text)
  const changes = rows.map(({ state }) => JSON.stringify(changesOf(state) ?? {}))
  await tx`
    insert into ${raw(quoted(table))} (${names})
    select ${names} from unnest(${texts}::text[], ${changes}::text[]) as deleted_row (state, changes)
      cross join jsonb_populate_record(
        populate_record(null::${raw(quoted(table))}, deleted_row.state::hstore), deleted_row.changes::jsonb
      )
  `
}

function explained(error: unknown): unknown {
  const kind = violation(error)
  if (kind === 'unique')
    return new ApiError(
      409,
      'The record is there again, or another one has its name. It cannot be brought back.',
      {
        cause: error,
      },
    )
  if (kind === 'foreign_key')
    return new ApiError(409, 'A record that this one belonged to is gone. It cannot be brought back.', {
      cause: error,
    })
  return error
}
