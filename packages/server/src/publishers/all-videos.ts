import type { AllVideos } from '@zoetrope/contract'
import { authorOf } from '../auth/actor.js'
import { invalid } from '../errors.js'
import { removeVideos } from '../jobs/remove-videos.job.js'
import { restoreVideos } from '../jobs/restore-videos.job.js'
import { enqueue } from '../queue/enqueue.js'
import { checkName } from './delete-channel.js'
import type { EndpointResult, InChannel } from './request.js'

const author = ({ role, session }: InChannel) => authorOf({ kind: role, publisherId: session.user._id })

/** The running job on all videos of the channel; if none, the last deletion of all videos. */
export async function showAllVideos(visit: InChannel): Promise<EndpointResult<AllVideos>> {
  const running = await runningIn(visit)
  return { body: { running, deleted: running === null ? await deletedLast(visit) : null } }
}

/** Queues the deletion of all videos, for an owner who typed the channel's name. */
export async function deleteAllVideos(visit: InChannel): Promise<EndpointResult<AllVideos>> {
  checkName(visit)
  await checkIdle(visit)
  const job = { site_id: visit.siteId, at: new Date().toISOString(), author: author(visit) }
  await enqueue(visit.parts.database.db, removeVideos, job, { key: visit.siteId })
  return { status: 202, body: { running: 'deleting', deleted: null } }
}

/** Queues the restoration of the videos that were last deleted together. */
export async function restoreAllVideos(visit: InChannel): Promise<EndpointResult<AllVideos>> {
  await checkIdle(visit)
  const deleted = await deletedLast(visit)
  if (!deleted) throw invalid('No videos were deleted together in the last 30 days.')
  const job = { site_id: visit.siteId, at: deleted.at.toISOString(), author: author(visit) }
  await enqueue(visit.parts.database.db, restoreVideos, job, { key: visit.siteId })
  return { status: 202, body: { running: 'restoring', deleted: null } }
}

async function checkIdle(visit: InChannel): Promise<void> {
  if ((await runningIn(visit)) !== null)
    throw invalid('All videos are already being deleted or restored. Wait until that has finished.')
}

async function runningIn({ parts, siteId }: InChannel): Promise<'deleting' | 'restoring' | null> {
  const keys = {
    [`${removeVideos.name}:${siteId}`]: 'deleting',
    [`${restoreVideos.name}:${siteId}`]: 'restoring',
  } as const
  const [job] = await parts.database.db<{ key: string }[]>`
    select key from graphile_worker.jobs
    where key = any(${Object.keys(keys)}) and (locked_at is not null or attempts < max_attempts)
  `
  return job ? (keys[job.key] ?? null) : null
}

/** All videos deleted by one job have the time of its request. */
async function deletedLast({ parts, siteId }: InChannel): Promise<{ at: Date; count: number } | null> {
  const [last] = await parts.database.db<{ at: Date; count: number }[]>`
    select deleted_at as at, count(*)::integer as count from videos
    where site_id = ${siteId} and deleted_at > now() - interval '30 days'
    group by deleted_at having count(*) > 1 or min(updated_at) > deleted_at
    order by deleted_at desc limit 1
  `
  return last ?? null
}
