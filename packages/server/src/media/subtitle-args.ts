import { inputName, subtitleInput } from './allowed.js'
import { absoluteTimes } from './ffmpeg-args.js'
import type { MediaSource } from './media-source.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts, SubtitleFacts } from './source-facts.js'

const firstPipe = 3

/** A time before the first picture, as ffmpeg writes it: 00:-1.-177. */
const negative = /(?<=^[\d:.-]+ --> )[\d:.]*-[\d:.-]+$|^[\d:.]*-[\d:.-]+(?= --> )/gm

/** Lets lines that begin before the first picture begin with it. */
export const notNegative = (vtt: string): string => vtt.replace(negative, '00:00.000')

/** Writes the subtitles of a film as WebVTT, each to a pipe of its own. Their times count from the first picture on. */
export const subtitlesPlan = (
  source: MediaSource,
  facts: SourceFacts,
  tracks: readonly SubtitleFacts[],
): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...[...subtitleInput(source), ...absoluteTimes(facts), '-i', inputName(source)],
    ...tracks.flatMap(({ index }, track) => [
      // Otherwise a line before the first picture would move all others.
      ...['-map', `0:${index}`, '-c:s', 'webvtt', '-avoid_negative_ts', 'disabled'],
      ...['-f', 'webvtt', `pipe:${firstPipe + track}`],
    ]),
  ],
  pipes: tracks.length,
  files: [],
})
