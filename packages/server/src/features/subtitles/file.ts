import { invalid } from '../../errors.js'
import { subtitleColumns } from '../../films/subtitle-columns.js'
import { SubtitleRefused } from '../../media/subtitle-bytes.js'
import type { SubtitleForm } from '../../media/subtitles.js'
import type { Call, Parts } from '../../resources/feature.js'
import { base64Bytes } from '../base64.js'

type SubtitleParts = Pick<Parts, 'sealer' | 'playerUrl'>

/** Returns the columns derived from a file. Without a file, only its name can change. */
export function fileColumns(
  parts: SubtitleParts,
  _id: string,
  { file, extension_type, file_file_name }: Call['body'],
): Readonly<Record<string, unknown>> {
  const named = file_file_name === undefined ? {} : { file_file_name }
  // Ignores extension_type without a file, because clients send whole records back.
  if (typeof file !== 'string') return named
  const columns = read(parts, _id, bytesOf(file), extension_type as SubtitleForm | undefined)
  return { ...columns, file_file_name: null, ...named }
}

const unreadable = (why: string) => invalid(`Could not save subtitle: ${why}`, { file: [why] })

function read(parts: SubtitleParts, _id: string, bytes: Buffer, form: SubtitleForm | undefined) {
  try {
    return subtitleColumns(parts, _id, bytes, form)
  } catch (error) {
    throw error instanceof SubtitleRefused ? unreadable(error.message) : error
  }
}

function bytesOf(given: string): Buffer {
  const bytes = base64Bytes(given)
  if (!bytes) throw unreadable('The file must be written as base64.')
  return bytes
}
