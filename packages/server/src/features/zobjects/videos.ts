import { catalog, limits } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import type { Db } from '../../db/database.js'
import { invalid, notFound } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { answer } from '../../resources/standard.js'
import { find, isSeen } from '../../resources/store.js'
import { listVideos } from '../videos/read.js'
import { spread } from './custom.js'
import { withinType } from './type.js'

export async function addVideosToZobject(call: Call): Promise<Answer> {
  const { type, within } = await withinType(call)
  if (!type.videos_enabled)
    throw invalid(`Zobjects of the type ${type.title} are not for videos: its videos_enabled is false.`)
  return change(within, (tx) => attach(tx, call.scope.site_id, [call.id], idsIn(call.body.video_id)))
}

export async function removeVideosFromZobject(call: Call): Promise<Answer> {
  const { within } = await withinType(call)
  return change(within, (tx) => detach(tx, call.scope.site_id, [call.id], idsIn(call.body.video_id)))
}

/** Lists the videos that a zobject is attached to. */
export async function listVideosOfZobject(call: Call): Promise<Answer | undefined> {
  const { parts, principal, resource } = call
  const { within } = await withinType(call)
  if (!(await isSeen(parts.database.db, resource, within.scope, call.id, seesHidden(principal, resource))))
    throw notFound(resource.name)
  const scope = { site_id: call.scope.site_id }
  const query = { ...call.query, zobject_id: call.id }
  const page = await listVideos({ ...call, resource: catalog.videos, scope, query })
  return page && { json: page.json }
}

export async function addZobjectsToVideo(call: Call): Promise<Answer> {
  return changeVideo(call, (tx) => attach(tx, call.scope.site_id, idsIn(call.body.zobject_id), [call.id]))
}

export async function removeZobjectsFromVideo(call: Call): Promise<Answer> {
  return changeVideo(call, (tx) => detach(tx, call.scope.site_id, idsIn(call.body.zobject_id), [call.id]))
}

export const idsIn = (given: unknown) => given as readonly string[]

/** Runs a change in a transaction and returns the changed zobject. */
export const change = async (call: Call, work: (tx: Db) => Promise<void>): Promise<Answer> =>
  spread(await changeVideo(call, work), {})

async function changeVideo(call: Call, work: (tx: Db) => Promise<void>): Promise<Answer> {
  const { parts, resource, scope, id } = call
  const record = await parts.database.transaction(async (tx) => {
    if (!(await find(tx, resource, scope, id))) throw notFound(resource.name)
    await work(tx)
    return find(tx, resource, scope, id)
  })
  return answer(record ?? '')
}

/** Locks the zobjects, then the videos, each ordered by id to avoid deadlocks. Throws 404 if one is missing. */
async function hold(tx: Db, site_id: string, zobjects: readonly string[], videos: readonly string[]) {
  const objects = await tx`
    select from zobjects where site_id = ${site_id} and _id = any(${zobjects}) order by _id for no key update
  `
  if (objects.length < new Set(zobjects).size) throw notFound(catalog.zobjects.name)
  const films = await tx`
    select from videos where site_id = ${site_id} and _id = any(${videos}) and deleted_at is null
    order by _id for no key update
  `
  if (films.length < new Set(videos).size) throw notFound(catalog.videos.name)
}

async function attach(tx: Db, site_id: string, zobjects: readonly string[], videos: readonly string[]) {
  await hold(tx, site_id, zobjects, videos)
  await tx`
    insert into zobject_videos (site_id, zobject_id, video_id)
    select ${site_id}, zobject_id, video_id
    from unnest(${zobjects}::text[]) as zobject_id, unnest(${videos}::text[]) as video_id
    on conflict do nothing
  `
  const [full] = await tx`
    select from zobject_videos where site_id = ${site_id} and zobject_id = any(${zobjects})
    group by zobject_id having count(*) > ${limits.zobject_videos.value}
    union all
    select from zobject_videos where site_id = ${site_id} and video_id = any(${videos})
    group by video_id having count(*) > ${limits.video_zobjects.value}
  `
  if (full)
    throw invalid(
      `A zobject is attached to at most ${limits.zobject_videos.value} videos, and a video has at most ${limits.video_zobjects.value}.`,
    )
}

/** Locks the current and the future zobjects of a video. */
export async function holdZobjects(tx: Db, site_id: string, wanted: readonly string[], video_id: string) {
  await tx`
    select from zobjects where site_id = ${site_id} and _id = any(
      ${wanted}::text[] || array(
        select zobject_id from zobject_videos where site_id = ${site_id} and video_id = ${video_id}
      )
    ) order by _id for no key update
  `
}

/** Replaces the zobjects of a video. */
export async function setZobjects(tx: Db, site_id: string, wanted: readonly string[], video_id: string) {
  const had = await tx<{ zobject_id: string }[]>`
    select zobject_id from zobject_videos where site_id = ${site_id} and video_id = ${video_id}
  `
  const gone = had.map(({ zobject_id }) => zobject_id).filter((id) => !wanted.includes(id))
  if (gone.length > 0) await detach(tx, site_id, gone, [video_id])
  if (wanted.length > 0) await attach(tx, site_id, wanted, [video_id])
}

async function detach(tx: Db, site_id: string, zobjects: readonly string[], videos: readonly string[]) {
  await hold(tx, site_id, zobjects, videos)
  await tx`
    delete from zobject_videos where site_id = ${site_id}
      and zobject_id = any(${zobjects}) and video_id = any(${videos})
  `
}
