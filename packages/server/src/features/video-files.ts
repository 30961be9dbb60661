import { catalog, publishes, type RecordOf } from '@zoetrope/contract'
import { seesHidden } from '../auth/access.js'
import { ApiError, notFound } from '../errors.js'
import { qualityOf } from '../films/quality.js'
import { findSourceFile, signDownload } from '../films/source-download.js'
import type { RequestedFormats } from '../media-segments/published.js'
import type { SourcePlan } from '../media-segments/source-plan.js'
import type { Answer, Call } from '../resources/feature.js'
import { project } from '../resources/projection.js'
import { answer, standard } from '../resources/standard.js'
import { find } from '../resources/store.js'
import { deriving } from './derived.js'

const { videos } = catalog

/** Lists the sources of a video. Throws 404 if the caller may not see the video. */
export async function listSources(call: Call): Promise<Answer | undefined> {
  const { parts, scope, principal } = call
  const { site_id, video_id = '' } = scope
  const isSeen = seesHidden(principal, videos)
  const video = await find(parts.database.db, videos, { site_id }, video_id, isSeen)
  if (!video) throw notFound(videos.name)
  return withQuality(withDuplicates(standard.list))(call)
}

type SourceRecord = Partial<RecordOf<typeof catalog.sources>> & { readonly _id: string }

interface Duplicate {
  readonly source_id: string
  readonly _id: string
  readonly title: string
}

const mostDuplicates = 10

/** Adds the other videos that have the same file. Only publishers see them. */
const withDuplicates = deriving<SourceRecord>(async (sources, call) => {
  const found = publishes(call.principal.kind) ? await findDuplicates(call, sources) : []
  return sources.map((source) => {
    const same = found.filter(({ source_id }) => source_id === source._id)
    return { duplicates: same.map(({ _id, title }) => ({ _id, title })) }
  })
})

/** Adds which quality viewers get. */
const withQuality = deriving<SourceRecord>(async (sources, { parts, scope }) => {
  const rows = await parts.database.db<{ _id: string; plan: SourcePlan | null; wanted: RequestedFormats }[]>`
    select sources._id, plan, wanted_formats(videos.site_id, formats) as wanted
    from sources join videos on videos.site_id = sources.site_id and videos._id = video_id
    where sources.site_id = ${scope.site_id} and sources._id = any(${sources.map(({ _id }) => _id)})
  `
  return sources.map(({ _id }) => {
    const { plan = null, wanted = [] } = rows.find((row) => row._id === _id) ?? {}
    return { quality: plan && qualityOf(plan, wanted) }
  })
})

function findDuplicates({ parts, scope }: Call, sources: readonly SourceRecord[]): Promise<Duplicate[]> {
  return parts.database.db<Duplicate[]>`
    select source_id, _id, title from (
      select mine._id as source_id, videos._id, videos.title,
        row_number() over (partition by mine._id order by videos.created_at, videos._id) as place
      from sources as mine
      join sources as other on other.site_id = mine.site_id and other.sha256 = mine.sha256
        and other.video_id <> mine.video_id and other.replaced_at is null
      join videos on videos.site_id = other.site_id and videos._id = other.video_id and videos.deleted_at is null
      where mine.site_id = ${scope.site_id} and mine._id = any(${sources.map(({ _id }) => _id)})
        and mine.replaced_at is null
      group by mine._id, videos._id, videos.title, videos.created_at
    ) as found where place <= ${mostDuplicates} order by place
  `
}

const lifetimeMs = 3_600_000

/** Returns a signed URL for the source file of a video, whether or not its encoding has finished or failed. */
export async function getDownload({ parts, scope, query }: Call) {
  const { database, sealer, playerUrl } = parts
  const { site_id, video_id = '' } = scope
  const file = await findSourceFile(database.db, site_id, video_id)
  if (!file) throw new ApiError(404, 'This video has no file to download.')
  const expires = Date.now() + lifetimeMs
  const token = signDownload(sealer, { site_id, video_id, source_id: file._id, expires })
  const record = {
    _id: file._id,
    site_id,
    created_at: file.created_at,
    updated_at: file.updated_at,
    url: `${playerUrl}/downloads/${token}`,
    filesize: file.bytes,
    file_name: file.name,
    content_type: file.type,
    expires_at: new Date(expires),
  }
  return answer(project(query, JSON.stringify(record)))
}
