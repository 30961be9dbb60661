import type { Db } from '../db/database.js'
import { type Fragment, raw, sql } from '../db/fragment.js'
import { keepRecord, readRecord } from '../db/records.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

type Moved = (column: Fragment, mediaUrl: string) => Fragment

const inJson: Moved = (column, mediaUrl) => sql`readdressed(${column}::text, ${mediaUrl})::jsonb`
const inText: Moved = (column, mediaUrl) => sql`readdressed(${column}, ${mediaUrl})`
/** Publishers can also enter the address of an image elsewhere, even of another installation. */
const ifKept: Moved = (column, mediaUrl) => sql`
  case when exists (
    select from image_files as file where file._id = substring(${column} from '/images/([0-9a-f]{24})/')
  ) then readdressed(${column}, ${mediaUrl}) else ${column} end`

/** The columns that contain addresses of pictures. */
const places: Readonly<Record<string, Readonly<Record<string, Moved>>>> = {
  videos: {
    thumbnails: inJson,
    images: inJson,
    preview_url: inText,
    custom_thumbnail_url: ifKept,
    custom_thumbnail_facts: inJson,
  },
  playlists: {
    images: inJson,
    custom_thumbnail_url: ifKept,
    custom_thumbnail_facts: inJson,
  },
  zobjects: { pictures: inJson },
}

const batch = 500
const noted = 'player_url'

/** The address that the pictures have now. It has this name since it was always that of the player. */
const notedUrl = (db: Db): Promise<string | undefined> => readRecord(db, noted)

/** Enqueues the change of the pictures' addresses if `MEDIA_URL` has changed. */
export async function followMediaUrl(db: Db, mediaUrl: string): Promise<void> {
  if ((await notedUrl(db)) !== mediaUrl) await enqueue(db, readdressPictures, {}, { key: 'all' })
}

/**
 * Changes the addresses of pictures after `MEDIA_URL` was changed. Rows contain finished records, and so the address; the
 * files stay where they are.
 */
export const readdressPictures = defineJob<unknown>({
  name: 'readdress-pictures',
  attempts: 25,
  isBackground: true,
  async run(_payload, { database: { db }, mediaUrl, signal, log }) {
    if ((await notedUrl(db)) === mediaUrl) return
    let changed = 0
    for (const table of Object.keys(places)) {
      let last: RowKey | undefined = { site_id: '', _id: '' }
      while (last) {
        signal?.throwIfAborted()
        const done: Batch = await readdress(db, table, mediaUrl, last)
        changed += done.changed
        last = done.last
      }
    }
    await keepRecord(db, noted, mediaUrl)
    if (changed > 0) log.info({ changed, media_url: mediaUrl }, 'pictures follow MEDIA_URL')
  },
})

interface RowKey {
  readonly site_id: string
  readonly _id: string
}

interface Batch {
  readonly changed: number
  readonly last: RowKey | undefined
}

/** Updates the next rows of a table. Rows with the right address are skipped. */
async function readdress(db: Db, table: string, mediaUrl: string, after: RowKey): Promise<Batch> {
  const columns = Object.entries(places[table] ?? {})
  const all = (prefix: string) => raw(columns.map(([name]) => `${prefix}.${name}`).join(', '))
  const moved = columns.map(([name, move]) => sql`, ${move(raw(`old.${name}`), mediaUrl)} as ${raw(name)}`)
  const [done] = await db<(RowKey & { readonly changed: number })[]>`
    with looked_at as materialized (
      select site_id, _id from ${raw(table)} where (site_id, _id) > (${after.site_id}, ${after._id})
      order by site_id, _id limit ${batch}
    ), moved as (
      select site_id, _id${moved.reduce((left, right) => sql`${left}${right}`)} from looked_at
      join ${raw(table)} as old using (site_id, _id)
    ), changed as (
      update ${raw(table)} as present set (${raw(columns.map(([name]) => name).join(', '))}) = row(${all('moved')})
      from moved where present.site_id = moved.site_id and present._id = moved._id
        and (${all('present')}) is distinct from (${all('moved')})
      returning present._id
    )
    select (select count(*) from changed)::int as changed, site_id, _id from looked_at
    order by site_id desc, _id desc limit 1
  `
  return { changed: done?.changed ?? 0, last: done && { site_id: done.site_id, _id: done._id } }
}
