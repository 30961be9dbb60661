import { createHash } from 'node:crypto'
import { limits } from '@zoetrope/contract'
import { languageName } from '../lib/language.js'
import { readSubtitles, type SubtitleForm } from '../media/subtitles.js'
import type { Parts } from '../resources/feature.js'

const types = { srt: 'application/x-subrip', vtt: 'text/vtt' } as const
const most = { bytes: limits.subtitle_bytes.value, cues: limits.subtitle_cues.value }

/** Returns the columns of a subtitle derived from its file. Throws SubtitleRefused if it is not a subtitle. */
export function subtitleColumns(
  { sealer, playerUrl }: Pick<Parts, 'sealer' | 'playerUrl'>,
  _id: string,
  bytes: Buffer,
  given: SubtitleForm | undefined,
) {
  const { form, vtt } = readSubtitles(bytes, most, given)
  const file_fingerprint = createHash('md5').update(bytes).digest('hex')
  return {
    extension_type: form,
    file_content_type: types[form],
    file_file_size: bytes.length,
    file_fingerprint,
    file_updated_at: new Date().toISOString(),
    url: `${playerUrl}/subtitles/${_id}/${subtitleWord(sealer, _id, file_fingerprint)}.vtt`,
    vtt,
  }
}

/** Returns a part of the URL that cannot be guessed from the id. It changes with the file. */
export const subtitleWord = (sealer: Parts['sealer'], _id: string, fingerprint: string) =>
  sealer.derive('subtitle', `${_id} ${fingerprint}`).slice(0, 32)

/** Returns the default title of a subtitle. */
export function usualTitle(language: string, forced: boolean): string {
  const name = (languageName(language) ?? language).slice(0, 80)
  return forced ? `${name} (forced)` : name
}
