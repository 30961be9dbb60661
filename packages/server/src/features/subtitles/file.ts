import { createHash } from 'node:crypto'
import { limits } from '@zoetrope/contract'
import { invalid } from '../../errors.js'
import { SubtitleRefused } from '../../media/subtitle-bytes.js'
import { readSubtitles, type SubtitleForm } from '../../media/subtitles.js'
import type { Call, Parts } from '../../resources/feature.js'
import { base64Bytes } from '../base64.js'

const types = { srt: 'application/x-subrip', vtt: 'text/vtt' } as const
const most = { bytes: limits.subtitle_bytes.value, cues: limits.subtitle_cues.value }

/** Returns the columns derived from a file. Without a file, only its name can change. */
export function fileColumns(
  { sealer, playerUrl }: Pick<Parts, 'sealer' | 'playerUrl'>,
  _id: string,
  { file, extension_type, file_file_name }: Call['body'],
): Readonly<Record<string, unknown>> {
  const named = file_file_name === undefined ? {} : { file_file_name }
  // Ignores extension_type without a file, because clients send whole records back.
  if (typeof file !== 'string') return named
  const bytes = bytesOf(file)
  const { form, vtt } = read(bytes, extension_type as SubtitleForm | undefined)
  const file_fingerprint = createHash('md5').update(bytes).digest('hex')
  return {
    extension_type: form,
    file_file_name: null,
    ...named,
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

const unreadable = (why: string) => invalid(`Could not save subtitle: ${why}`, { file: [why] })

function read(bytes: Buffer, form: SubtitleForm | undefined) {
  try {
    return readSubtitles(bytes, most, form)
  } catch (error) {
    throw error instanceof SubtitleRefused ? unreadable(error.message) : error
  }
}

function bytesOf(given: string): Buffer {
  const bytes = base64Bytes(given)
  if (!bytes) throw unreadable('The file must be written as base64.')
  return bytes
}
