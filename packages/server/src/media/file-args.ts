import { inputLimits, inputName } from './allowed.js'
import { absoluteTimes } from './ffmpeg-args.js'
import type { MediaSource } from './media-source.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts } from './source-facts.js'

export interface FilePlan {
  /** Init and segments of the video concatenated in one file; undefined for audio only. */
  readonly video?: string | undefined
  /** The same for audio, or an audio file; undefined for a silent source. */
  readonly audio?: string | undefined
  readonly target: string
}

const noTraces = ['-map_metadata', '-1', '-fflags', '+bitexact']

/** Remuxes joined HLS segments into one MP4 that plays before it is fully loaded. */
export const mp4FilePlan = (request: FilePlan): FfmpegPlan =>
  repackage(request, ['-movflags', '+faststart', '-f', 'mp4'])

/** Remuxes joined VP9 segments and Opus into one WebM with its index at the front. */
export const webmFilePlan = (request: FilePlan): FfmpegPlan =>
  repackage(request, ['-cues_to_front', '1', '-f', 'webm'])

function repackage({ video, audio, target }: FilePlan, format: readonly string[]): FfmpegPlan {
  const inputs = [video, audio].filter((path) => path !== undefined)
  return {
    program: 'ffmpeg',
    args: [
      ...inputs.flatMap((path) => [...inputLimits(path), '-i', inputName(path)]),
      ...inputs.flatMap((_, index) => ['-map', String(index)]),
      ...['-c', 'copy', ...noTraces, ...format, inputName(target)],
    ],
    pipes: 0,
    files: [target],
  }
}

/** All audio as Opus in WebM. */
export const opusFilePlan = (source: MediaSource, facts: SourceFacts, target: string): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...[...inputLimits(source), ...absoluteTimes(facts), '-i', inputName(source)],
    ...['-map', `0:${facts.audio?.index ?? 0}`],
    ...['-af', 'aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo'],
    ...['-c:a', 'libopus', '-b:a', '96k', ...noTraces, '-f', 'webm', inputName(target)],
  ],
  pipes: 0,
  files: [target],
})
