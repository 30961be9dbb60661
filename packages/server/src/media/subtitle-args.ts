import { inputName, subtitleInput } from './allowed.js'
import type { MediaSource } from './media-source.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts, SubtitleFacts } from './source-facts.js'

const firstPipe = 3

/** Writes the subtitles of a film as WebVTT, each to a pipe of its own. They begin with the first picture, as the film does. */
export const subtitlesPlan = (
  source: MediaSource,
  { lead = 0 }: SourceFacts,
  tracks: readonly SubtitleFacts[],
): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...[...subtitleInput(source), '-i', inputName(source)],
    ...tracks.flatMap(({ index }, track) => [
      ...['-map', `0:${index}`, '-c:s', 'webvtt', '-ss', lead.toFixed(3)],
      ...['-f', 'webvtt', `pipe:${firstPipe + track}`],
    ]),
  ],
  pipes: tracks.length,
  files: [],
})
