import { catalog } from '@zoetrope/contract'
import { authorOf } from '../../auth/actor.js'
import type { Db } from '../../db/database.js'
import { sql } from '../../db/fragment.js'
import { notFound } from '../../errors.js'
import { announceVideo } from '../../films/insert-video.js'
import { moveStatus, videoWith } from '../../films/status.js'
import { newId } from '../../lib/object-id.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, insert, remove, type Scope, update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { holdVideo } from '../subtitles/among-others.js'
import { insertWithParts } from '../videos/write.js'
import { readFiles } from './files.js'

const { videos, self_hosted_sources } = catalog

/** Creates a video with a self-hosted source. */
export async function createSelfHostedVideo(call: CallOf<'videos', 'create_self_hosted'>) {
  const { parts, principal, scope, body } = call
  const { url, duration, auto_add: _, auto_active, ...given } = body
  const files = readFiles([{ url }], 'url')
  const fields = auto_active === undefined ? given : { active: auto_active, ...given }
  const video_id = newId()
  const record = await parts.database.transaction(async (tx) => {
    await insertWithParts(tx, scope, { ...fields, created_by: authorOf(principal) }, video_id)
    await insert(tx, self_hosted_sources, { ...scope, video_id }, { files, duration })
    await followStatus(tx, { ...scope, video_id })
    return find(tx, videos, scope, video_id)
  })
  await announceVideo(parts, scope, fields)
  return answer(record ?? '')
}

export const createSelfHosted = (call: CallOf<'self_hosted_sources', 'create'>) =>
  inVideo(call, async (tx) => {
    const { resource, scope, body } = call
    const values = { active: true, ...body, files: readFiles(body.files), _id: newId() }
    if (values.active) await quietOthers(tx, scope, values._id)
    return answer(await insert(tx, resource, scope, values))
  })

export const updateSelfHosted = (call: CallOf<'self_hosted_sources', 'update'>) =>
  inVideo(call, async (tx) => {
    const { resource, scope, id, body } = call
    const files = body.files === undefined ? {} : { files: readFiles(body.files) }
    if (!(await find(tx, resource, scope, id))) throw notFound(resource.name)
    if (body.active === true) await quietOthers(tx, scope, id)
    return answer((await update(tx, resource, scope, id, { ...body, ...files })) ?? '')
  })

export const removeSelfHosted = (call: Call) =>
  inVideo(call, async (tx) => {
    if (!(await remove(tx, call.resource, call.scope, call.id))) throw notFound(call.resource.name)
    return undefined
  })

/** Deactivates the other sources: a video plays from one self-hosted source at a time. */
async function quietOthers(tx: Db, { site_id, video_id = '' }: Scope, _id: string): Promise<void> {
  await tx`
    update self_hosted_sources set active = false, updated_at = now()
    where site_id = ${site_id} and video_id = ${video_id} and active and _id <> ${_id}
  `
}

/** Updates the status: a video without a film is ready while it has an active self-hosted source. */
async function followStatus(tx: Db, { site_id, video_id = '' }: Scope): Promise<void> {
  const which = sql`${videoWith(site_id, video_id)} and media_source_id is null`
  const [playing] = await tx<{ duration: number | null }[]>`
    select duration from self_hosted_sources where site_id = ${site_id} and video_id = ${video_id} and active
  `
  const times = playing
    ? sql`playable_at = coalesce(playable_at, now()), complete_at = coalesce(complete_at, now())`
    : sql`playable_at = null, complete_at = null`
  const duration = playing?.duration ?? null
  const columns = sql`status_reason = null, ${times}, duration = ${duration}, precise_duration = ${duration}`
  await moveStatus(tx, playing ? 'plays_elsewhere' : 'plays_nowhere', which, columns)
}

/** Locks a video, changes its self-hosted sources and updates its status. */
function inVideo(
  { parts, scope }: Call,
  change: (tx: Db) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  return parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    const answered = await change(tx)
    await followStatus(tx, scope)
    return answered
  })
}
