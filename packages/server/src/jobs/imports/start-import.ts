import { catalog } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { shortened, titleFrom } from '../../lib/file-name.js'
import { newUnguessableId } from '../../lib/object-id.js'
import type { Sealer } from '../../lib/sealing.js'
import { enqueue } from '../../queue/enqueue.js'
import { insert, type Scope, type Values } from '../../resources/store.js'
import { importFilm } from '../import.job.js'
import { fileNameOf } from './read-answer.js'

export const titleOf = (source_url: string): string => titleFrom(fileNameOf(source_url))

/** A new import, in the caller's transaction. With a video it begins once that is committed. Answers with its record. */
export async function insertImport(tx: Db, sealer: Sealer, scope: Scope, values: Values): Promise<string> {
  const source_url = String(values.source_url)
  const media_source_id = newUnguessableId()
  const file_name = shortened(fileNameOf(source_url)) || null
  if (values.video_id) await expectFilm(tx, scope, String(values.video_id))
  const row = { ...values, title: values.title || titleOf(source_url), media_source_id, file_name }
  const record = await insert(tx, sealer, catalog.video_imports, scope, row)
  if (values.video_id) await begin(tx, scope, (JSON.parse(record) as { _id: string })._id, media_source_id)
  return record
}

/** Has the import fetched; or, if it has ended, what is left of it removed. */
export const begin = (
  tx: Db,
  { site_id }: Scope,
  import_id: string,
  media_source_id: string,
): Promise<void> => enqueue(tx, importFilm, { site_id, import_id, media_source_id }, { key: import_id })

/** The video waits for a film, unless it has one that plays. Imports other than this one, that were to bring one, are not needed any more. */
export async function expectFilm(tx: Db, scope: Scope, video_id: string, import_id = ''): Promise<void> {
  const { site_id } = scope
  await tx`
    update videos set status = 'uploading', status_reason = null, updated_at = now()
    where site_id = ${site_id} and _id = ${video_id} and status in ('created', 'failed', 'uploading')
  `
  const replaced = await tx<{ _id: string; media_source_id: string }[]>`
    update video_imports set status = 'cancelled', status_reason = 'Another import brings a film to its video.',
      finished_at = now(), updated_at = now(), held_by = null, held_until = null
    where site_id = ${site_id} and video_id = ${video_id} and _id <> ${import_id}
      and status in ('created', 'downloading')
    returning _id, media_source_id
  `
  for (const { _id, media_source_id } of replaced) await begin(tx, scope, _id, media_source_id)
}

/** No film is on its way any more; what the video had, it keeps. */
export async function expectNoFilm(tx: Db, { site_id }: Scope, video_id: string | null): Promise<void> {
  await tx`
    update videos set status = case when media_source_id is null then 'created' else 'failed' end,
      status_reason = 'The import of its film was cancelled.', updated_at = now()
    where site_id = ${site_id} and _id = ${video_id} and status = 'uploading'
  `
}
