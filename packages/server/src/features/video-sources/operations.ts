import { catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { invalid, notFound } from '../../errors.js'
import { checkFetched } from '../../fetching/target.js'
import { refreshSource } from '../../jobs/refresh-source.job.js'
import { newId } from '../../lib/object-id.js'
import { enqueue } from '../../queue/enqueue.js'
import type { Answer, Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { answer } from '../../resources/standard.js'
import { find, insert, type Scope, update } from '../../resources/store.js'
import { checkNumber } from '../check-number.js'

const most = limits.video_sources.value

/** Source types that existing clients request, and that do not exist here. */
const otherKinds = new Set([
  'self_hosted',
  'zype',
  'zype_msl',
  'hulu',
  'youtube',
  'youtube_playlist',
  'youtube_video',
  'crunchyroll',
  'kaltura',
  'vimeo',
  'vimeo_pro',
])

export function listVideoSources(call: Call): Promise<Answer> {
  const { type, source, ...query } = call.query
  return otherKinds.has(String(type ?? source)) ? list({ ...call, query }, sql`false`) : list(call)
}

/** Creates a video source and enqueues the first read of its feed. */
export async function createSource(call: Call) {
  const { resource, scope, body } = call
  const _id = newId()
  return write({ ...call, id: _id }, async (tx) => {
    await checkNumber(tx, 'video_sources', scope, most, `A channel has at most ${most} video sources.`)
    await insert(tx, resource, scope, { ...body, _id })
  })
}

/** Updates a video source and enqueues a read of its feed. Imported videos stay. */
export async function updateSource(call: Call) {
  const { resource, scope, id, body } = call
  return write(call, async (tx) => {
    await update(tx, resource, scope, id, body)
  })
}

export const refreshNow = (call: Call) => write({ ...call, body: {} }, async () => {})

async function write({ parts, resource, scope, id, body }: Call, work: (tx: Db) => Promise<void>) {
  checkFetched(body.url, parts.allows.import)
  const record = await parts.database.transaction(async (tx) => {
    await checkCategory(tx, scope, body.category_id)
    await work(tx)
    await readSoon(tx, scope, id)
    return find(tx, resource, scope, id)
  })
  if (record === undefined) throw notFound(resource.name)
  return answer(record)
}

/** Enqueues a read of the whole feed, whether it has changed or not. */
async function readSoon(tx: Db, { site_id }: Scope, _id: string): Promise<void> {
  const [source] = await tx<{ is_backwards: boolean }[]>`
    update video_sources set refresh_at = now() + reading_pause(sync_interval), revision = revision + 1, etag = null,
      last_modified = null
    where site_id = ${site_id} and _id = ${_id} returning coalesce(import_from > import_to, false) as is_backwards
  `
  if (source?.is_backwards)
    throw invalid(
      'Could not save video source: import_to is before import_from, so that nothing would be imported.',
      {
        import_to: ['must not be before import_from'],
      },
    )
  if (source) await enqueue(tx, refreshSource, { site_id, source_id: _id }, { key: _id })
}

async function checkCategory(tx: Db, { site_id }: Scope, category_id: unknown): Promise<void> {
  if (typeof category_id !== 'string') return
  const [category] = await tx`
    select from categories where site_id = ${site_id} and _id = ${category_id} for key share
  `
  if (!category) throw notFound(catalog.categories.name)
}
