import type { Db } from '../db/database.js'
import { picturesOf } from '../media-segments/picture-files.js'
import { filesOf } from '../media-segments/published.js'
import type { Storage } from '../storage/storage.js'
import { defineJob } from './define-job.js'
import { removeUnwanted } from './remove-unwanted.js'

/** A file may be older than its row by the length of an upload; younger ones are left alone. */
const youngestMs = 6 * 3_600_000
const step = 500

/** Where the files of a source lie. What says that a source was uploaded goes last. */
const placesOf = [
  (id: string) => `segments/${id}`,
  filesOf,
  picturesOf,
  (id: string) => `sources/${id}`,
] as const

interface Sweep {
  readonly youngest_ms?: number
}

/** Removes what is made and no longer wanted, and the files of sources and images that nobody knows: of videos that were ended, and of uploads that broke off. */
export const sweepMedia = defineJob<Sweep>({
  name: 'sweep-media',
  attempts: 1,
  every: '41 * * * *',
  async run({ youngest_ms = youngestMs }, { database: { db }, media, log }) {
    // A new film that could not be prepared is kept for a day, to be tried again.
    await db`
      with ended as (
        update videos set pending_source_id = null, updated_at = now() from sources
        where pending_source_id = sources._id and videos.site_id = sources.site_id
          and sources.status = 'failed' and sources.updated_at < now() - interval '1 day'
        returning sources.site_id, sources._id
      )
      update sources set replaced_at = now() from ended where sources.site_id = ended.site_id and sources._id = ended._id
    `
    // A source that was replaced is kept for as long as an address that was signed for it works.
    await db`delete from sources where replaced_at < now() - interval '1 day'`
    const unwanted = await removeUnwanted(db, media)
    if (unwanted > 0) log.info({ removed: unwanted }, 'removed renditions whose format was turned off')
    const removed = await removeUnknown(db, media.storage, youngest_ms)
    if (removed > 0) log.info({ removed }, 'removed files that belong to no video')
  },
})

/** Looks at the files themselves only where no source and no image is known. */
async function removeUnknown(db: Db, storage: Storage, youngest: number): Promise<number> {
  const ids = new Set<string>()
  for (const placeOf of placesOf) for await (const id of storage.names(folderOf(placeOf))) ids.add(id)
  let removed = 0
  for (let all = [...ids], from = 0; from < all.length; from += step) {
    const some = all.slice(from, from + step)
    const rows = await db<{ _id: string }[]>`
      select _id from sources where _id = any(${some}::text[])
      union all select poster_image_id from videos where poster_image_id = any(${some}::text[])
    `
    const known = new Set(rows.map(({ _id }) => _id))
    for (const id of some)
      if (!known.has(id) && (await isOld(storage, id, youngest)))
        removed += await removeSource(db, storage, id)
  }
  return removed
}

const folderOf = (placeOf: (id: string) => string) => placeOf('').replace(/\/$/, '')

async function isOld(storage: Storage, id: string, youngest: number): Promise<boolean> {
  for (const placeOf of placesOf)
    for await (const { modifiedAt } of storage.list(placeOf(id)))
      if (Date.now() - modifiedAt.getTime() <= youngest) return false
  return true
}

async function removeSource(db: Db, storage: Storage, id: string): Promise<number> {
  await db`delete from media_windows where source_id = ${id}`
  let removed = 0
  for (const placeOf of placesOf) removed += await storage.removeUnder(placeOf(id))
  return removed
}
