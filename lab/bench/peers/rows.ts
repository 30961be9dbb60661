import type { Db } from '../../../packages/server/src/db/database.js'

type Kind = 'string' | 'text' | 'integer' | 'decimal' | 'float' | 'boolean' | 'json' | 'timestamp'

/** The fields of a video that every contender stores, beside its id and the times of creation and change. */
export const columns: Readonly<Record<string, Kind>> = {
  title: 'string',
  friendly_title: 'string',
  description: 'text',
  short_description: 'text',
  keywords: 'json',
  active: 'boolean',
  featured: 'boolean',
  mature_content: 'boolean',
  parental_guidelines_rating: 'string',
  country: 'string',
  language: 'string',
  genre: 'string',
  episode: 'integer',
  season: 'integer',
  series_id: 'string',
  source_id: 'string',
  youtube_id: 'string',
  discovery_url: 'string',
  subscription_required: 'boolean',
  purchase_required: 'boolean',
  purchase_price: 'decimal',
  rental_price: 'decimal',
  rental_duration: 'integer',
  marketplace_ids: 'json',
  custom_attributes: 'json',
  video_status: 'string',
  playable_at: 'timestamp',
  complete_at: 'timestamp',
  transcoded: 'boolean',
  duration: 'integer',
  precise_duration: 'float',
  rating: 'float',
  request_count: 'integer',
  thumbnails: 'json',
}

type Row = Readonly<Record<string, unknown>>

/** The rows of our videos in these columns, in batches. */
export async function* videosOf(ours: Db, siteId: string): AsyncGenerator<readonly Row[]> {
  const batch = 1000
  const named = Object.keys(columns).map((name) =>
    name === 'video_status' ? 'status as video_status' : name,
  )
  for (let offset = 0; ; offset += batch) {
    const rows = await ours.unsafe<Row[]>(
      `select ${named.join(', ')}, created_at, updated_at from videos
       where site_id = $1 order by created_at, _id offset $2 limit $3`,
      [siteId, offset, batch],
    )
    yield rows
    if (rows.length < batch) return
  }
}

/** Inserts rows into the table of a peer, with the columns that `more` adds for the number of each row. */
export async function copyInto(
  theirs: Db,
  table: string,
  batches: AsyncIterable<readonly Row[]>,
  more: (number: number, row: Row) => Row = () => ({}),
): Promise<void> {
  let number = 0
  for await (const rows of batches) {
    const values = rows.map((row) => {
      number += 1
      return { ...inTheirTypes(row), ...more(number, row) }
    })
    // PostgreSQL takes 65,535 parameters in one statement.
    for (let from = 0; from < values.length; from += 500)
      await theirs`insert into ${theirs(table)} ${theirs(values.slice(from, from + 500))}`
  }
  await theirs.unsafe(`vacuum analyze ${table}`)
}

const inTheirTypes = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      columns[name] === 'json' ? JSON.stringify(value) : value,
    ]),
  )
