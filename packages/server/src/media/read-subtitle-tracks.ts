import { limits } from '@zoetrope/contract'
import { languageInFile } from '../lib/language.js'
import type { ProbedStream } from './probed.js'
import { streamName, titleOf } from './read-audio.js'
import type { SourceFacts } from './source-facts.js'

const texts = new Set(['subrip', 'srt', 'ass', 'ssa', 'webvtt', 'mov_text', 'text'])
const pictures = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', 'xsub'])

/** The subtitles of a file that are text, and a sentence about the others. */
export function readSubtitleTracks(
  streams: readonly ProbedStream[],
): Pick<SourceFacts, 'subtitles' | 'subtitlesLeftOut'> {
  const all = streams.filter(({ codec_type }) => codec_type === 'subtitle')
  const usable = all.filter(({ codec_name = '' }) => texts.has(codec_name)).slice(0, limits.subtitles.value)
  const leftOut = all.flatMap((stream, index) =>
    usable.includes(stream) ? [] : [`${streamName(stream, index)}, because ${whyNot(stream)}`],
  )
  const subtitles = usable.map((stream) => ({
    index: stream.index ?? 0,
    name: streamName(stream, all.indexOf(stream)),
    language: languageInFile(stream.tags?.language),
    title: titleOf(stream),
    isDefault: Boolean(stream.disposition?.default),
    isForced: Boolean(stream.disposition?.forced),
  }))
  return {
    ...(subtitles.length > 0 && { subtitles }),
    ...(leftOut.length > 0 && { subtitlesLeftOut: subtitlesLeftOut(leftOut) }),
  }
}

export const subtitlesLeftOut = (which: readonly string[]) => `Subtitles left out: ${which.join('; ')}.`

function whyNot({ codec_name = 'unknown' }: ProbedStream): string {
  if (texts.has(codec_name)) return `a video has at most ${limits.subtitles.value}`
  if (pictures.has(codec_name)) return `they are pictures (${codec_name}) and not text`
  return `their format (${codec_name}) cannot be read`
}
