import { notFound } from '../../errors.js'
import { writeSrt } from '../../media/write-srt.js'
import type { FileAnswer } from '../../resources/feature.js'
import type { CallOf } from '../call-of.js'

interface DownloadedSubtitle {
  readonly vtt: string
  readonly language: string
  readonly forced: boolean
  readonly friendly_title: string
}

/** Returns the lines of a subtitle as a file. Its name has what an upload can recognise: the language, and forced. */
export async function downloadSubtitle({
  parts: { database },
  resource,
  scope,
  id,
  body: { format = 'vtt' },
}: CallOf<'subtitles', 'download'>): Promise<FileAnswer> {
  const [found] = await database.db<DownloadedSubtitle[]>`
    select vtt, subtitles.language, forced, friendly_title from subtitles
    join videos on videos.site_id = subtitles.site_id and videos._id = video_id
    where subtitles.site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and subtitles._id = ${id}
  `
  if (!found) throw notFound(resource.name)
  const { vtt, language, forced, friendly_title } = found
  const name = `${friendly_title}.${language}${forced ? '.forced' : ''}.${format}`
  return format === 'srt'
    ? { text: writeSrt(vtt), type: 'application/x-subrip; charset=utf-8', name }
    : { text: vtt, type: 'text/vtt; charset=utf-8', name }
}
