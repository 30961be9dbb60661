import { invalid, notFound } from '../../errors.js'
import { shiftCues, shiftRange } from '../../media/shift-cues.js'
import { answer } from '../../resources/standard.js'
import { update } from '../../resources/store.js'
import type { CallOf } from '../call-of.js'
import { holdVideo } from './among-others.js'
import { fileColumns } from './file.js'

interface Text {
  readonly vtt: string
  readonly file_file_name: string | null
}

/** Shifts all cues of a subtitle in time. The stored file becomes WebVTT. */
export async function shiftSubtitle({ parts, resource, scope, id, body }: CallOf<'subtitles', 'shift'>) {
  const by = Math.round(body.seconds * 1000)
  const record = await parts.database.transaction(async (tx) => {
    await holdVideo(tx, scope)
    const [now] = await tx<Text[]>`
      select vtt, file_file_name from subtitles
      where site_id = ${scope.site_id} and video_id = ${scope.video_id ?? ''} and _id = ${id}
    `
    if (!now) throw notFound(resource.name)
    checkRange(now.vtt, by)
    const file = Buffer.from(shiftCues(now.vtt, by)).toString('base64')
    const columns = fileColumns(parts, id, { ...now, file, extension_type: 'vtt' })
    return update(tx, resource, scope, id, columns)
  })
  return answer(record ?? '{}')
}

function checkRange(vtt: string, by: number): void {
  const { least, most } = shiftRange(vtt)
  if (by >= least && by <= most) return
  const why =
    by < least
      ? `must be ${least / 1000} or more: its first line would begin before the film`
      : `must be ${most / 1000} or less: times go up to 99 hours`
  throw invalid(`Could not shift the subtitle: seconds ${why}.`, { seconds: [why] })
}
