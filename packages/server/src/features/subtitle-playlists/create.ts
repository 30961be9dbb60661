import { limits } from '@zoetrope/contract'
import type { Db } from '../../db/database.js'
import { invalid } from '../../errors.js'
import { usualTitle } from '../../films/subtitle-columns.js'
import { answer } from '../../resources/standard.js'
import { insert, type Scope } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { holdVideo } from '../subtitles/among-others.js'

/** Creates a subtitle playlist. The language is a name or a code, and unique within the video. */
export async function createSubtitlePlaylist({
  parts,
  resource,
  scope,
  body,
}: CallOf<'subtitle_playlists', 'create'>) {
  const language_code = body.language
  const values = { ...body, language: usualTitle(language_code, false), language_code }
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    await checkOthers(tx, scope, values.language, language_code)
    return insert(tx, resource, scope, values)
  })
  return answer(record)
}

async function checkOthers(
  tx: Db,
  { site_id, video_id = '' }: Scope,
  language: string,
  code: string,
): Promise<void> {
  const others = await tx<{ language_code: string }[]>`
    select language_code from subtitle_playlists where site_id = ${site_id} and video_id = ${video_id}
  `
  const most = limits.subtitles.value
  if (others.length >= most)
    throw invalid(`A video has at most ${most} subtitle playlists. Remove one first.`)
  if (others.some(({ language_code }) => language_code === code))
    throw invalid(
      `Could not save subtitle playlist: this video has one in ${language} already. Remove that one first.`,
      { language: ['is that of another subtitle playlist of this video'] },
    )
}
