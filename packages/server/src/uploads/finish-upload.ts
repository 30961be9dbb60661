import { catalog } from '@zoetrope/contract'
import type { Principal } from '../auth/principals.js'
import type { Db } from '../db/database.js'
import { notFound } from '../errors.js'
import { createVideo } from '../features/videos/create.js'
import type { Tree } from '../http/brackets.js'
import { prepare } from '../jobs/prepare.job.js'
import { enqueue } from '../queue/enqueue.js'
import type { Parts } from '../resources/feature.js'
import { update } from '../resources/store.js'
import type { Digested } from '../storage/storage.js'
import { shortened } from './file-name.js'
import type { Wish } from './wish.js'

interface Source extends Digested {
  readonly _id: string
  readonly file_name: string
}

/** Makes a stored file the source of its video and has it prepared, all or nothing; answers with the video's record. */
export async function finishUpload(
  parts: Parts,
  principal: Principal,
  source: Source,
  wish: Wish,
): Promise<string> {
  const site_id = principal.siteId
  const record = await parts.database.transaction(async (tx) => {
    const video_id = 'video_id' in wish ? wish.video_id : await makeVideo(parts, tx, principal, wish.body)
    const processing = { status: 'processing', status_reason: null, media_source_id: source._id }
    const changed = await update(tx, parts.sealer, catalog.videos, { site_id }, video_id, processing)
    if (!changed) throw notFound('video')
    await tx`
      insert into sources (_id, site_id, video_id, file_name, bytes, sha256)
      values (${source._id}, ${site_id}, ${video_id}, ${shortened(source.file_name) || null}, ${source.size}, ${source.sha256})
    `
    await enqueue(tx, prepare, { site_id, source_id: source._id })
    return changed
  })
  parts.freshness.touch(site_id, catalog.videos.plural)
  if ('body' in wish && (wish.body.enable_at || wish.body.disable_at)) await parts.freshness.reschedule()
  return record
}

async function makeVideo(parts: Parts, tx: Db, principal: Principal, body: Tree): Promise<string> {
  const made = await createVideo({
    parts: within(parts, tx),
    resource: catalog.videos,
    principal,
    scope: { site_id: principal.siteId },
    id: '',
    query: {},
    body,
    address: '',
  })
  return JSON.parse(made.json.toString()).response._id
}

/** What is done in a transaction is announced after it, and not by those who take part in it. */
const within = (parts: Parts, tx: Db): Parts => ({
  ...parts,
  database: { ...parts.database, db: tx },
  freshness: { ...parts.freshness, touch: () => {}, reschedule: async () => {} },
})
