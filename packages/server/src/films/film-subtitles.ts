import { catalog, limits } from '@zoetrope/contract'
import type { Database, Db } from '../db/database.js'
import { undetermined } from '../lib/language.js'
import { newId } from '../lib/object-id.js'
import { subtitlesLeftOut } from '../media/read-subtitle-tracks.js'
import type { SubtitleFacts } from '../media/source-facts.js'
import { SubtitleRefused } from '../media/subtitle-bytes.js'
import type { Source } from '../media-segments/source-plan.js'
import type { Parts } from '../resources/feature.js'
import { insert } from '../resources/store.js'
import { isSourceOf, lockVideo } from './sources.js'
import { subtitleColumns, usualTitle } from './subtitle-columns.js'

/** A subtitle track of a film, and its lines as WebVTT; undefined if there are too many. */
export interface FilmSubtitle extends SubtitleFacts {
  readonly vtt: Buffer | undefined
}

/** Whether the subtitles of the source have not been imported yet. They are imported once: a publisher may delete them. */
export async function awaitsSubtitles(db: Db, { site_id, _id }: Source): Promise<boolean> {
  const rows = await db`
    select from sources where site_id = ${site_id} and _id = ${_id} and subtitles_at is null and replaced_at is null
  `
  return rows.length > 0
}

/** Adds the subtitles of a film to its video, once. The notice of the source names those that could not be added. */
export async function addFilmSubtitles(
  database: Database,
  parts: Pick<Parts, 'sealer' | 'playerUrl'>,
  source: Source,
  tracks: readonly FilmSubtitle[],
): Promise<void> {
  const { site_id, _id, video_id } = source
  await database.transaction(async (tx) => {
    const video = await lockVideo(tx, site_id, video_id)
    if (!video || !isSourceOf(video, _id)) return
    const [marked] = await tx<{ file_name: string | null; notice: string | null }[]>`
      update sources set subtitles_at = now() where site_id = ${site_id} and _id = ${_id} and subtitles_at is null
      returning file_name, facts ->> 'subtitlesLeftOut' as notice
    `
    if (!marked) return
    const leftOut: string[] = []
    for (const track of tracks) {
      const why = await addOne(tx, parts, source, track, marked.file_name)
      if (why !== undefined) leftOut.push(`${track.name}, because ${why}`)
    }
    if (leftOut.length === 0) return
    const notice = [marked.notice, subtitlesLeftOut(leftOut)].filter(Boolean).join(' ').slice(0, 2000)
    await tx`
      update sources set facts = jsonb_set(facts, '{subtitlesLeftOut}', to_jsonb(${notice}::text)), updated_at = now()
      where site_id = ${site_id} and _id = ${_id}
    `
  })
}

/** Adds a subtitle, or returns why it cannot be added. What the publisher has made stays as it is. */
async function addOne(
  tx: Db,
  parts: Pick<Parts, 'sealer' | 'playerUrl'>,
  { site_id, video_id }: Source,
  track: FilmSubtitle,
  file_file_name: string | null,
): Promise<string | undefined> {
  const others = await tx<{ title: string; is_default: boolean }[]>`
    select title, "default" as is_default from subtitles where site_id = ${site_id} and video_id = ${video_id}
  `
  const { language = undetermined, isForced: forced } = track
  const title = track.title ?? usualTitle(language, forced)
  if (others.length >= limits.subtitles.value) return `a video has at most ${limits.subtitles.value}`
  if (others.some((other) => other.title === title))
    return `the video has subtitles called ${JSON.stringify(title)} already`
  if (!track.vtt) return 'they are too large'
  const _id = newId()
  try {
    const columns = subtitleColumns(parts, _id, track.vtt, 'vtt')
    const isDefault = track.isDefault && !others.some(({ is_default }) => is_default)
    const state = { _id, language, title, forced, active: true, default: isDefault }
    await insert(tx, catalog.subtitles, { site_id, video_id }, { ...state, ...columns, file_file_name })
    return undefined
  } catch (error) {
    if (error instanceof SubtitleRefused) return `they cannot be read: ${error.message.replace(/\.$/, '')}`
    throw error
  }
}
