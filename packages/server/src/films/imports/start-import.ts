import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { notFound } from '../../errors.js'
import { checkFetched } from '../../fetching/target.js'
import { shortened, titleFrom } from '../../lib/file-name.js'
import { newUnguessableId } from '../../lib/object-id.js'
import type { Parts } from '../../resources/feature.js'
import { find, insert, type Scope, type Values } from '../../resources/store.js'
import { enqueueImport } from '../film-jobs.js'
import { moveStatus, videoWith } from '../status.js'
import { fileNameOf } from './read-answer.js'

export const titleOf = (source_url: string): string => titleFrom(fileNameOf(source_url))

/** Inserts an import in the caller's transaction, and returns its record. If it has a video, it begins once committed. */
export async function insertImport(tx: Db, scope: Scope, values: Values): Promise<string> {
  const source_url = String(values.source_url)
  const media_source_id = newUnguessableId()
  const file_name = shortened(fileNameOf(source_url)) || null
  if (values.video_id) await expectFilm(tx, scope, String(values.video_id))
  const row = { ...values, title: values.title || titleOf(source_url), media_source_id, file_name }
  const record = await insert(tx, catalog.video_imports, scope, row)
  const { _id: import_id } = JSON.parse(record) as { _id: string }
  if (values.video_id) await enqueueImport(tx, { site_id: scope.site_id, import_id, media_source_id })
  return record
}

/** Whether the fields of a video ask for an import of its film. */
export const hasAddress = ({ source_url }: Values): boolean =>
  typeof source_url === 'string' && source_url !== ''

/** Begins the import of a video's film, in the caller's transaction. Returns the video's record. */
export async function importFor(
  tx: Db,
  { allows }: Pick<Parts, 'allows'>,
  scope: Scope,
  video_id: string,
  { source_url }: Values,
): Promise<string> {
  checkFetched(source_url, allows.import, 'source_url')
  const [video] = await tx<{ title: string }[]>`
    select title from videos where site_id = ${scope.site_id} and _id = ${video_id} and deleted_at is null for update
  `
  if (!video) throw notFound(catalog.videos.name)
  await insertImport(tx, scope, { source_url, video_id, title: video.title })
  return (await find(tx, catalog.videos, scope, video_id)) ?? ''
}

/** Marks a video as waiting for a film, unless it has one that plays. Cancels its other imports that have not ended. */
export async function expectFilm(tx: Db, scope: Scope, video_id: string, import_id = ''): Promise<void> {
  const { site_id } = scope
  await moveStatus(tx, 'import_begun', videoWith(site_id, video_id), sql`status_reason = null`)
  const replaced = await tx<{ _id: string; media_source_id: string }[]>`
    update video_imports set status = 'cancelled', status_reason = 'Another import brings a film to its video.',
      finished_at = now(), updated_at = now(), held_by = null, held_until = null
    where site_id = ${site_id} and video_id = ${video_id} and _id <> ${import_id}
      and status in ('created', 'downloading')
    returning _id, media_source_id
  `
  for (const { _id, media_source_id } of replaced)
    await enqueueImport(tx, { site_id, import_id: _id, media_source_id })
}

/** Marks a video as no longer waiting for a film. A film that it already has is kept. */
export async function expectNoFilm(tx: Db, { site_id }: Scope, video_id: string | null): Promise<void> {
  const video = videoWith(site_id, video_id)
  const reason = sql`status_reason = 'The import of its film was cancelled.'`
  await moveStatus(tx, 'import_cancelled', sql`${video} and media_source_id is null`, reason)
  await moveStatus(tx, 'replacement_cancelled', sql`${video} and media_source_id is not null`, reason)
}
