import { inputLimits, inputName } from './allowed.js'
import { absoluteTimes } from './ffmpeg-args.js'
import type { FfmpegPlan } from './run-ffmpeg.js'
import type { SourceFacts } from './source-facts.js'

export interface FilePlan {
  /** Init and segments of the pictures, one after another in one file; none for sound alone. */
  readonly video?: string | undefined
  /** The same of the sound, or a file of it; none for a silent source. */
  readonly audio?: string | undefined
  readonly target: string
}

const noTraces = ['-map_metadata', '-1', '-fflags', '+bitexact']

/** Repackages joined HLS segments as one MP4 that begins to play before it is loaded. */
export const mp4FilePlan = (wish: FilePlan): FfmpegPlan =>
  repackage(wish, ['-movflags', '+faststart', '-f', 'mp4'])

/** Repackages joined VP9 segments and Opus as one WebM, with its index in front. */
export const webmFilePlan = (wish: FilePlan): FfmpegPlan =>
  repackage(wish, ['-cues_to_front', '1', '-f', 'webm'])

function repackage({ video, audio, target }: FilePlan, format: readonly string[]): FfmpegPlan {
  const inputs = [video, audio].filter((path) => path !== undefined)
  return {
    program: 'ffmpeg',
    args: [
      ...inputs.flatMap((path) => [...inputLimits, '-i', inputName(path)]),
      ...inputs.flatMap((_, index) => ['-map', String(index)]),
      ...['-c', 'copy', ...noTraces, ...format, inputName(target)],
    ],
    pipes: 0,
    files: [target],
  }
}

/** The whole sound as Opus in WebM. */
export const opusFilePlan = (source: string, facts: SourceFacts, target: string): FfmpegPlan => ({
  program: 'ffmpeg',
  args: [
    ...[...inputLimits, ...absoluteTimes(facts), '-i', inputName(source)],
    ...['-map', `0:${facts.audio?.index ?? 0}`],
    ...['-af', 'aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo'],
    ...['-c:a', 'libopus', '-b:a', '96k', ...noTraces, '-f', 'webm', inputName(target)],
  ],
  pipes: 0,
  files: [target],
})
