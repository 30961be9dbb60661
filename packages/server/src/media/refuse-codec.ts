import { isAllowedCodec } from './allowed.js'
import type { ProbedStream } from './probed.js'
import { SourceRefused } from './source-facts.js'

/** Throws if a stream is encrypted, or its codec is not accepted. */
export function refuseCodec({
  codec_name,
  codec_tag_string,
  codec_type,
  side_data_list,
}: ProbedStream): void {
  const isLocked =
    /^(enc[vatsm]|drm[is])$/.test(codec_tag_string ?? '') ||
    side_data_list?.some(({ side_data_type }) => /encryption/i.test(side_data_type ?? ''))
  if (isLocked)
    throw new SourceRefused('encrypted', 'The file is encrypted. Upload it without copy protection.')
  if (!codec_name || !isAllowedCodec(codec_name))
    throw new SourceRefused(
      'unknown_codec',
      `The ${codec_type} of the file is in a format (${plainName(codec_name)}) that is not accepted. Convert it to H.264 and AAC.`,
    )
}

const plainName = (name: string | undefined) => (name ?? 'unknown').replace(/[^\w-]/g, '').slice(0, 40)
