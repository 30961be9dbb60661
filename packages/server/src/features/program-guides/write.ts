import { catalog, limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import { checkFetched } from '../../fetching/target.js'
import { refreshGuide } from '../../jobs/refresh-guide.job.js'
import { findTimeZone } from '../../lib/time-zone.js'
import { enqueue } from '../../queue/enqueue.js'
import { answer } from '../../resources/standard.js'
import { find, insert, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { checkNumber } from '../check-number.js'

const most = limits.program_guides.value

/** Creates a guide and enqueues the first read of its file. */
export async function createGuide(call: CallOf<'program_guides', 'create'>) {
  const { resource, scope, body } = call
  return write(call, async (tx) => {
    await checkNumber(tx, 'program_guides', scope, most, `A channel has at most ${most} program guides.`)
    return insert(tx, resource, scope, body)
  })
}

/** Updates a guide and enqueues a read of its file. The current entries stay until then. */
export async function updateGuide(call: CallOf<'program_guides', 'update'>) {
  const { resource, scope, id, body } = call
  return write(call, (tx) => update(tx, resource, scope, id, body))
}

export async function refresh(call: CallOf<'program_guides', 'refresh'>) {
  const { resource, scope, id } = call
  return write({ ...call, body: {} }, (tx) => find(tx, resource, scope, id))
}

async function write(
  call: CallOf<'program_guides', 'update'>,
  work: (tx: Db) => Promise<string | undefined>,
) {
  const { parts, resource, scope, body } = call
  checkFetched(body.url, parts.allows.import)
  checkZone(body.time_zone)
  const record = await parts.database.transaction(async (tx) => {
    await checkVideos(tx, scope, body.video_ids)
    const record = await work(tx)
    if (record === undefined) throw notFound(resource.name)
    await readSoon(tx, scope, (JSON.parse(record) as { _id: string })._id)
    return record
  })
  return answer(record)
}

async function readSoon(tx: Db, { site_id }: Scope, _id: string): Promise<void> {
  await tx`
    update program_guides set refresh_at = now() + interval '1 hour' where site_id = ${site_id} and _id = ${_id}
  `
  await enqueue(tx, refreshGuide, { site_id, guide_id: _id }, { key: _id })
}

function checkZone(name: unknown): void {
  if (typeof name !== 'string' || findTimeZone(name)) return
  throw invalid(`There is no time zone ${name}. They have names like Europe/Paris, or UTC.`, {
    time_zone: ['is not a time zone'],
  })
}

async function checkVideos(tx: Db, { site_id }: Scope, ids: readonly string[] = []): Promise<void> {
  const found = await tx`
    select from videos where site_id = ${site_id} and _id = any(${ids}::text[]) and deleted_at is null
    for key share
  `
  if (found.length < new Set(ids).size) throw notFound(catalog.videos.name)
}
