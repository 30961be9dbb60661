/**
 * Why ffmpeg did not finish: its own failure, one of our limits, our abort, a kill from outside, a full disk, a missing program,
 * a source that could not be read to its end, or a machine that was too busy. A full disk has the system's own code.
 */
export type MediaFailure =
  | 'aborted'
  | 'killed'
  | 'ENOSPC'
  | 'not_started'
  | 'unreadable'
  | 'starved'
  | 'time_limit'
  | 'output_limit'
  | 'memory_limit'
  | 'failed'

const notTheFile = new Set<MediaFailure>([
  'aborted',
  'killed',
  'ENOSPC',
  'not_started',
  'unreadable',
  'starved',
])

export class MediaError extends Error {
  readonly code: MediaFailure
  /** The last lines ffmpeg wrote; for the log, never for a caller. */
  readonly lines: readonly string[]

  constructor(code: MediaFailure, message: string, lines: readonly string[] = [], options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.lines = lines
  }
}

/** Whether the machine was too busy: no outage of another kind, but as little to do with the film. */
export const isStarved = (error: unknown): boolean => error instanceof MediaError && error.code === 'starved'

/** Whether the file is the cause. */
export const blamesFile = (error: unknown): boolean =>
  error instanceof MediaError && !notTheFile.has(error.code)

/** Whether something else is the cause: ffmpeg was killed or is missing, could not read, or had no room on the disk. */
export const isMediaMishap = (error: unknown): boolean => error instanceof MediaError && !blamesFile(error)

/** Explanations for ffmpeg's most frequent errors, by their words. */
const explanations: readonly (readonly [RegExp, MediaFailure, string])[] = [
  [
    /cannot allocate memory|malloc|out of memory/i,
    'memory_limit',
    'The video needs more memory than it may have.',
  ],
  [/file too large|file size limit/i, 'output_limit', 'The result grew larger than it may.'],
  [/no space left on device/i, 'ENOSPC', 'There is no space left on the disk.'],
  [/not on whitelist/i, 'failed', 'The file is in a format that is not accepted.'],
  [
    /moov atom not found/i,
    'failed',
    'The file is incomplete: the part that describes its contents is missing.',
  ],
  [/no such file or directory/i, 'failed', 'The file to read is not there.'],
  [/permission denied/i, 'failed', 'The file may not be read.'],
  [/invalid data found/i, 'failed', 'The file is damaged, or not a video.'],
  [/matches no streams|stream map/i, 'failed', 'The file has no such track.'],
]

/** An error with an explanation, from the program's exit and its output. */
export function explainExit(program: string, ending: string, lines: readonly string[]): MediaError {
  const written = lines.join('\n')
  const known = explanations.find(([words]) => words.test(written))
  if (known) return new MediaError(known[1], known[2], lines)
  return new MediaError('failed', `${program} ended with ${ending} and could not make the video.`, lines)
}
