import { type BodyOf, type Catalog, catalog } from '@zoetrope/contract'
import { authorOf } from '../../auth/actor.js'
import type { Db } from '../../db/database.js'
import { notFound } from '../../errors.js'
import { checkFetched } from '../../fetching/target.js'
import { insertImport, titleOf } from '../../films/imports/start-import.js'
import { announceVideo, insertVideo } from '../../films/insert-video.js'
import { newId } from '../../lib/object-id.js'
import type { Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import type { Scope } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'

/** The fields of an import that its new video gets. A row has times as dates. */
export type ImportFields = Omit<BodyOf<Catalog['video_imports']>, 'published_at'> & {
  readonly published_at?: string | Date | null
  readonly video_source_id?: string | null
}

/** Creates an import and, if necessary, its video. */
export async function createImport(call: CallOf<'video_imports', 'create'>) {
  const { parts, scope, body } = call
  const { source_url } = body
  checkFetched(source_url, parts.allows.import, 'source_url')
  const record = await parts.database.transaction(async (tx) => {
    const wanted = { ...body, title: body.title || titleOf(source_url) }
    const video_id = await videoFor(tx, call, wanted)
    return insertImport(tx, scope, { ...wanted, video_id })
  })
  await announceVideo(parts, scope, {})
  return answer(record)
}

async function videoFor(tx: Db, call: NewVideoCall, wanted: ImportFields): Promise<string | null> {
  if (wanted.video_id) return existing(tx, call.scope, wanted.video_id)
  return wanted.auto_add === false ? null : newVideo(tx, call, wanted)
}

/** Checks that a video exists and locks it, so that it is not deleted before the transaction ends. */
export async function existing(tx: Db, { site_id }: Scope, _id: string): Promise<string> {
  const [video] = await tx`
    select from videos where site_id = ${site_id} and _id = ${_id} and deleted_at is null for update
  `
  if (!video) throw notFound(catalog.videos.name)
  return _id
}

type NewVideoCall = Pick<Call, 'principal' | 'scope'>

/** Creates a video with the fields given in the import. */
export async function newVideo(
  tx: Db,
  { principal, scope }: NewVideoCall,
  wanted: ImportFields,
): Promise<string> {
  const { title, description, episode, season, source_id, auto_activate } = wanted
  const said = { title, description, episode, season, source_id, active: auto_activate ?? true }
  const fields = { ...said, ...givenOf(wanted), created_by: authorOf(principal) }
  const _id = newId()
  await insertVideo(tx, scope, fields, _id)
  return _id
}

/** Fields that have defaults, included only if given. The id of an item in its feed is also its `mrss_id`. */
const givenOf = ({ keywords, published_at, video_source_id, source_id }: ImportFields) => ({
  ...(keywords ? { keywords } : {}),
  ...(published_at ? { published_at } : {}),
  ...(video_source_id ? { mrss_id: source_id } : {}),
})
