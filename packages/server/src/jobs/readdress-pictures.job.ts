import type { Db } from '../db/database.js'
import { type Fragment, raw, run, sql } from '../db/fragment.js'
import { enqueue } from '../queue/enqueue.js'
import { defineJob } from './define-job.js'

type Moved = (column: Fragment, playerUrl: string) => Fragment

const inJson: Moved = (column, playerUrl) => sql`readdressed(${column}::text, ${playerUrl})::jsonb`
const inText: Moved = (column, playerUrl) => sql`readdressed(${column}, ${playerUrl})`
/** Publishers can also enter the address of an image elsewhere, even of another installation. */
const ifKept: Moved = (column, playerUrl) => sql`
  case when exists (
    select from image_files as file where file._id = substring(${column} from '/images/([0-9a-f]{24})/')
  ) then readdressed(${column}, ${playerUrl}) else ${column} end`

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
    thumbnails: inJson,
    images: inJson,
    custom_thumbnail_url: ifKept,
    custom_thumbnail_facts: inJson,
  },
  zobjects: { pictures: inJson },
}

const batch = 500
const noted = 'player_url'

/** The address of the player that the pictures have now. */
async function notedUrl(db: Db): Promise<string | undefined> {
  const [row] = await db<{ value: string }[]>`select value from installation where name = ${noted}`
  return row?.value
}

/** Enqueues the change of the pictures' addresses if `PLAYER_URL` has changed. */
export async function followPlayer(db: Db, playerUrl: string): Promise<void> {
  if ((await notedUrl(db)) !== playerUrl) await enqueue(db, readdressPictures, {}, { key: 'all' })
}

/**
 * Changes the addresses of pictures after `PLAYER_URL` was changed. Rows contain finished records, and so the address; the
 * files stay where they are.
 */
export const readdressPictures = defineJob<unknown>({
  name: 'readdress-pictures',
  attempts: 25,
  isBackground: true,
  async run(_payload, { database: { db }, playerUrl, signal, log }) {
    if ((await notedUrl(db)) === playerUrl) return
    let changed = 0
    for (const table of Object.keys(places)) {
      let last: RowKey | undefined = { site_id: '', _id: '' }
      while (last) {
        signal?.throwIfAborted()
        const done: Batch = await readdress(db, table, playerUrl, last)
        changed += done.changed
        last = done.last
      }
    }
    await db`
      insert into installation (name, value) values (${noted}, ${playerUrl})
      on conflict (name) do update set value = excluded.value
    `
    if (changed > 0) log.info({ changed, player_url: playerUrl }, 'pictures follow the address of the player')
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
async function readdress(db: Db, table: string, playerUrl: string, after: RowKey): Promise<Batch> {
  const columns = Object.entries(places[table] ?? {})
  const all = (prefix: string) => raw(columns.map(([name]) => `${prefix}.${name}`).join(', '))
  const moved = columns.map(([name, move]) => sql`, ${move(raw(`old.${name}`), playerUrl)} as ${raw(name)}`)
  const [done] = await run<RowKey & { readonly changed: number }>(
    db,
    sql`
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
  `,
  )
  return { changed: done?.changed ?? 0, last: done && { site_id: done.site_id, _id: done._id } }
}
