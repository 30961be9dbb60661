import { createHash } from 'node:crypto'
import { catalog, limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import type { ImportableItem } from '../fetching/documents/media-feed.js'
import { FetchRefused } from '../fetching/fetch-error.js'
import { newId } from '../lib/object-id.js'
import { update } from '../resources/store.js'
import { sharePlaylists } from './categories.js'
import { insertImport } from './imports/start-import.js'
import { insertVideo } from './insert-video.js'

export interface FeedKey {
  readonly site_id: string
  readonly source_id: string
}

/** A feed, and which of its items to import. */
export interface VideoSource extends FeedKey {
  readonly revision: number
  readonly url: string
  readonly auto_add: boolean
  readonly auto_activate: boolean
  readonly auto_deactivate: boolean
  readonly sync_video_data_source: boolean
  readonly import_from: Date | null
  readonly import_to: Date | null
  readonly mrss_category_values: readonly string[]
  readonly category_id: string | null
}

/** Whether the source imports this item. If it limits the time of publication, an item without one is not imported. */
export function isWanted(source: VideoSource, { publishedAt, categories }: ImportableItem): boolean {
  const { import_from, import_to, mrss_category_values: wanted } = source
  if (wanted.length > 0 && !wanted.some((value) => isAmong(categories, value))) return false
  if (!import_from && !import_to) return true
  const at = publishedAt === null ? Number.NaN : Date.parse(publishedAt)
  return at >= (import_from?.getTime() ?? 0) && at <= (import_to?.getTime() ?? Number.POSITIVE_INFINITY)
}

const isAmong = (values: readonly string[], wanted: string): boolean =>
  values.some((value) => value.toLowerCase() === wanted.trim().toLowerCase())

/** Imports a new item, or updates the video of a known one that has changed. All in the caller's transaction. */
export async function takeItem(tx: Db, source: VideoSource, item: ImportableItem): Promise<void> {
  const { site_id, source_id } = source
  const digest = digestOf(item)
  if (source.category_id !== null) await sharePlaylists(tx, { site_id })
  const [import_id, video_id] = [newId(), source.auto_add ? newId() : null]
  // Inserts nothing if the source was removed meanwhile.
  const [made] = await tx`
    insert into video_source_items (site_id, video_source_id, guid, import_id, video_id, digest)
    select ${site_id}, _id, ${item.guid}, ${import_id}, ${video_id}, ${digest} from video_sources
    where site_id = ${site_id} and _id = ${source_id} for key share
    on conflict do nothing returning guid
  `
  if (made) return importItem(tx, source, item, import_id, video_id)
  const [known] = await tx<KnownItem[]>`
    select digest, is_listed, is_hidden, import_id, video_id from video_source_items
    where site_id = ${site_id} and video_source_id = ${source_id} and guid = ${item.guid} for update
  `
  if (known) await updateItem(tx, source, item, known)
}

interface KnownItem {
  readonly digest: string
  readonly is_listed: boolean
  readonly is_hidden: boolean
  readonly import_id: string
  readonly video_id: string | null
}

const digestOf = ({ title, description, keywords, publishedAt, thumbnail }: ImportableItem): string =>
  createHash('sha256')
    .update(JSON.stringify([title, description, keywords, publishedAt, thumbnail]))
    .digest('base64url')

const fieldsOf = ({ title, description, keywords, publishedAt }: ImportableItem) => ({
  title,
  description,
  keywords,
  ...(publishedAt === null ? {} : { published_at: publishedAt }),
})

const videoFieldsOf = (item: ImportableItem) => ({
  ...fieldsOf(item),
  ...(item.thumbnail === null ? {} : { custom_thumbnail_url: item.thumbnail }),
})

async function importItem(
  tx: Db,
  source: VideoSource,
  item: ImportableItem,
  import_id: string,
  video_id: string | null,
): Promise<void> {
  const { site_id, source_id: video_source_id, auto_add, auto_activate } = source
  await checkNumber(tx, source)
  const source_id = item.guid.slice(0, 255).toWellFormed()
  if (video_id) {
    const categories = await categoriesFor(tx, source, item)
    const fields = {
      ...videoFieldsOf(item),
      ...categories,
      source_id,
      mrss_id: source_id,
      active: auto_activate,
    }
    await insertVideo(tx, { site_id }, fields, video_id)
  }
  const fields = {
    source_url: item.url,
    video_id,
    source_id,
    auto_add,
    auto_activate,
    video_source_id,
    type: 'mrss',
  }
  await insertImport(tx, { site_id }, { ...fieldsOf(item), ...fields, _id: import_id })
}

async function checkNumber(tx: Db, { site_id, source_id }: VideoSource): Promise<void> {
  const most = limits.video_source_imports.value
  const [row] = await tx<{ items: number }[]>`
    select video_count as items from video_sources where site_id = ${site_id} and _id = ${source_id}
  `
  if ((row?.items ?? 0) >= most)
    throw new FetchRefused(
      `Of one feed ${most} items are imported at most, and so many were. Make another source.`,
    )
}

/** The values of the source's category that the feed gives the item, as fields of a new video. */
async function categoriesFor(tx: Db, { site_id, category_id }: VideoSource, item: ImportableItem) {
  if (category_id === null) return {}
  const [category] = await tx<{ values: readonly string[] }[]>`
    select values from categories where site_id = ${site_id} and _id = ${category_id} for share
  `
  const value = category?.values.filter((each) => isAmong(item.categories, each)) ?? []
  return value.length > 0 ? { categories_attributes: [{ category_id, value }] } : {}
}

/** Copies what the feed says now to the video, and to the import, which may still wait for its video. */
async function updateItem(tx: Db, source: VideoSource, item: ImportableItem, known: KnownItem) {
  const { site_id, source_id, sync_video_data_source, auto_deactivate } = source
  const digest = digestOf(item)
  const isChanged = known.digest !== digest && sync_video_data_source
  const isBack = known.is_hidden && auto_deactivate
  if (known.is_listed && !isChanged && !isBack) return
  await tx`
    update video_source_items set is_listed = true, is_hidden = false, is_let_go = false,
      digest = ${isChanged ? digest : known.digest}, changed_at = ${isChanged ? tx`now()` : tx`changed_at`}
    where site_id = ${site_id} and video_source_id = ${source_id} and guid = ${item.guid}
  `
  const changes = { ...(isChanged ? videoFieldsOf(item) : {}), ...(isBack ? { active: true } : {}) }
  const scope = { site_id }
  const video_id = known.video_id ?? (await videoOf(tx, site_id, known.import_id))
  // The video is always locked before its imports.
  if (video_id && Object.keys(changes).length > 0) await update(tx, catalog.videos, scope, video_id, changes)
  await update(tx, catalog.video_imports, scope, known.import_id, importOf(item, isChanged))
}

/** The fields of an import whose item is in the feed. */
const importOf = (item: ImportableItem, isChanged: boolean) => ({
  ...(isChanged ? fieldsOf(item) : {}),
  active: true,
})

async function videoOf(tx: Db, site_id: string, import_id: string): Promise<string | undefined> {
  const [row] = await tx<{ video_id: string | null }[]>`
    select video_id from video_imports where site_id = ${site_id} and _id = ${import_id}
  `
  return row?.video_id ?? undefined
}
