import { type BodyOf, type Catalog, catalog } from '@zoetrope/contract'
import { seesHidden } from '../../auth/access.js'
import type { Db } from '../../db/database.js'
import { assignment, insertion, raw } from '../../db/fragment.js'
import { couldNotSave, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'
import { recordExpression } from '../../resources/columns.js'
import type { Call } from '../../resources/feature.js'
import { flagIn } from '../../resources/projection.js'
import { type Scope, withinScope } from '../../resources/store.js'
import { deriving, ifAsked } from '../derived.js'
import { carryOut } from '../nested-changes.js'

const { videos } = catalog
const most = 100

/** Changes the related videos of a video that the caller has locked. */
export async function changeRelated(
  tx: Db,
  scope: Scope,
  changes: NonNullable<BodyOf<Catalog['videos']>['related_videos_attributes']>,
): Promise<void> {
  const { site_id, video_id = '' } = scope
  await carryOut(changes, {
    async create({ linked_video_id, ...others }) {
      if (typeof linked_video_id !== 'string')
        throw couldNotSave('video', name, 'linked_video_id is required')
      await checkLinked(tx, scope, linked_video_id)
      const row = { ...others, _id: newId(), site_id, video_id, linked_video_id }
      await tx`insert into related_videos ${insertion(row)}`
    },
    async change(_id, fields) {
      if (typeof fields.linked_video_id === 'string') await checkLinked(tx, scope, fields.linked_video_id)
      const changed = await tx`
        update related_videos set ${assignment({ ...fields, _id })}
        where site_id = ${site_id} and video_id = ${video_id} and _id = ${_id} returning _id
      `
      if (changed.length === 0) throw notFound('related_video')
    },
    async remove(_id) {
      const { count } = await tx`
        delete from related_videos where site_id = ${site_id} and video_id = ${video_id} and _id = ${_id}
      `
      if (count === 0) throw notFound('related_video')
    },
  })
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from related_videos where site_id = ${site_id} and video_id = ${video_id}
  `
  if ((row?.count ?? 0) > most) throw couldNotSave('video', name, `must leave at most ${most}`)
}

async function checkLinked(tx: Db, { site_id, video_id }: Scope, linked: string): Promise<void> {
  if (linked === video_id) throw couldNotSave('video', name, 'must name other videos')
  const [found] = await tx`
    select from videos where site_id = ${site_id} and _id = ${linked} and deleted_at is null for key share
  `
  if (!found) throw notFound(videos.name)
}

const name = 'related_videos_attributes'

interface Link {
  readonly video_id: string
  readonly link: { readonly linked_video_id: string }
  readonly video: string
}

/** Adds related videos: links with include_related_videos=true, whole records with expand_related_videos=true. */
export const withRelated = ifAsked(
  ({ query }) => flagIn(query, 'include_related_videos') || flagIn(query, 'expand_related_videos'),
  deriving<RelatedTo>(
    async (shown, call) => {
      const links = await findLinks(call, shown)
      const isWhole = flagIn(call.query, 'expand_related_videos')
      return shown.map(({ _id }) => ({
        related_videos: links
          .filter(({ video_id }) => video_id === _id)
          .map(({ link, video }) => (isWhole ? { ...link, video: JSON.parse(video) as object } : link)),
      }))
    },
    ['related_videos'],
  ),
)

interface RelatedTo {
  readonly _id: string
}

/** Returns the related videos that the caller may see. */
function findLinks({ parts, principal, scope }: Call, shown: readonly RelatedTo[]): Promise<Link[]> {
  const { site_id } = scope
  const seen = withinScope(videos, { site_id }, seesHidden(principal, videos))
  return parts.database.db<Link[]>`
    select link.video_id, json_build_object(
      '_id', link._id, 'linked_video_id', link.linked_video_id, 'source', link.source, 'source_id', link.source_id,
      'group', link."group"
    ) as link, linked.json as video
    from related_videos as link join (
      select _id, ${raw(recordExpression(videos))} as json from videos where ${seen}
    ) as linked on linked._id = link.linked_video_id
    where link.site_id = ${site_id} and link.video_id = any(${shown.map(({ _id }) => _id)}::text[])
    order by link.place
  `
}
