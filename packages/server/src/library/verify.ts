import type { Db } from '../db/database.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { digestOf } from '../storage/bytes.js'
import type { Storage } from '../storage/storage.js'

export interface VerifyOptions {
  /** Also reads every uploaded file and compares its digest. */
  readonly isDeep?: boolean
  readonly onProgress?: (checked: number) => void
}

/** An object that a row of the database names and that is not in the storage as it should be. */
export interface WrongObject {
  readonly key: string
  readonly trouble: 'missing' | 'size' | 'digest'
}

export interface Verified {
  readonly films: number
  readonly audioTracks: number
  readonly pictures: number
  readonly missing: number
  readonly wrong: number
  /** The first of them. */
  readonly examples: readonly WrongObject[]
}

interface Expected {
  readonly key: string
  readonly bytes?: number
  readonly sha256?: string | null
  /** Whether its row still names it: films are deleted and pictures replaced while others are looked at. */
  readonly isNamed: () => Promise<boolean>
}

const mostExamples = 50
const pageSize = 200

/**
 * Looks for everything that the database names and that cannot be made again: uploaded films and audio tracks with their
 * sizes, and pictures. Changes nothing.
 */
export async function verifyLibrary(
  db: Db,
  storage: Storage,
  options: VerifyOptions = {},
): Promise<Verified> {
  const counts = { films: 0, audioTracks: 0, pictures: 0, missing: 0, wrong: 0 }
  const examples: WrongObject[] = []
  const check = async (expected: Expected) => {
    const trouble = await troubleWith(storage, expected, options.isDeep === true)
    if (!trouble || !(await expected.isNamed())) return
    counts[trouble === 'missing' ? 'missing' : 'wrong'] += 1
    if (examples.length < mostExamples) examples.push({ key: expected.key, trouble })
  }
  const kinds = [
    ['films', filmsIn(db)],
    ['audioTracks', audioTracksIn(db)],
    ['pictures', picturesIn(db)],
  ] as const
  for (const [kind, pages] of kinds)
    for await (const page of pages) {
      for (const expected of page) await check(expected)
      counts[kind] += page.length
      options.onProgress?.(counts.films + counts.audioTracks + counts.pictures)
    }
  return { ...counts, examples }
}

interface Identified {
  readonly site_id: string
  readonly _id: string
}

/** Reads rows in the order of their keys, page by page. */
async function* paged<Row extends Identified>(
  read: (after: Identified) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Identified | undefined = { site_id: '', _id: '' }; last; ) {
    const rows: readonly Row[] = await read(last)
    yield rows
    last = rows.length < pageSize ? undefined : rows.at(-1)
  }
}

interface FileRow extends Identified {
  readonly file_id: string
  readonly bytes: number
  readonly sha256: string | null
}

const asFile = (db: Db, table: 'sources' | 'audio_tracks', row: FileRow): Expected => ({
  key: sourceKey(row.file_id),
  bytes: row.bytes,
  sha256: row.sha256,
  async isNamed() {
    const rows = await db`select from ${db(table)} where site_id = ${row.site_id} and _id = ${row._id}`
    return rows.length > 0
  },
})

async function* filmsIn(db: Db): AsyncGenerator<Expected[]> {
  const pages = paged(
    ({ site_id, _id }) => db<FileRow[]>`
      select site_id, _id, _id as file_id, bytes::float8, sha256 from sources
      where (site_id, _id) > (${site_id}, ${_id}) order by site_id, _id limit ${pageSize}
    `,
  )
  for await (const rows of pages) yield rows.map((row) => asFile(db, 'sources', row))
}

async function* audioTracksIn(db: Db): AsyncGenerator<Expected[]> {
  const pages = paged(
    ({ site_id, _id }) => db<FileRow[]>`
      select site_id, _id, file_id, bytes::float8, sha256 from audio_tracks
      where (site_id, _id) > (${site_id}, ${_id}) and file_id is not null and bytes is not null
      order by site_id, _id limit ${pageSize}
    `,
  )
  for await (const rows of pages) yield rows.map((row) => asFile(db, 'audio_tracks', row))
}

/** The pictures that videos show, by the ends of their addresses. */
async function* picturesIn(db: Db): AsyncGenerator<Expected[]> {
  const pages = paged(
    ({ site_id, _id }) => db<(Identified & { urls: string })[]>`
      select site_id, _id, concat(thumbnails::text, ' ', preview_url) as urls from videos
      where (site_id, _id) > (${site_id}, ${_id}) and deleted_at is null order by site_id, _id limit ${pageSize}
    `,
  )
  for await (const rows of pages)
    yield rows.flatMap(({ site_id, _id, urls }) =>
      [...urls.matchAll(/\/(pictures\/[0-9a-f]{24}\/[a-z0-9._-]+)/g)].map(([, key = '']) => ({
        key,
        async isNamed() {
          const named = await db`
            select from videos where site_id = ${site_id} and _id = ${_id} and deleted_at is null
              and strpos(concat(thumbnails::text, ' ', preview_url), ${key}) > 0
          `
          return named.length > 0
        },
      })),
    )
}

async function troubleWith(
  storage: Storage,
  { key, bytes, sha256 }: Expected,
  isDeep: boolean,
): Promise<WrongObject['trouble'] | undefined> {
  const facts = await storage.stat(key)
  if (!facts) return 'missing'
  if (bytes !== undefined && facts.size !== bytes) return 'size'
  if (!isDeep || !sha256) return undefined
  const opened = await storage.read(key)
  if (!opened) return 'missing'
  return (await digestOf(opened.body)).sha256 === sha256 ? undefined : 'digest'
}
