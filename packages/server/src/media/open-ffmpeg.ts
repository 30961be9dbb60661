import { findFfmpeg, type WhereToLook } from './find-ffmpeg.js'
import { type Ffmpeg, runFfmpeg } from './run-ffmpeg.js'
import { detectSandbox } from './sandbox.js'

export interface OpenedFfmpeg extends Ffmpeg {
  /** Whether this build has the filters that turn HDR into SDR. */
  readonly canToneMap: boolean
}

export type FfmpegOpening =
  | { readonly ffmpeg: OpenedFfmpeg }
  | { readonly ffmpeg: undefined; readonly reason: string }

/** Finds ffmpeg and learns once what it and this system can do. */
export async function openFfmpeg(where: WhereToLook = {}): Promise<FfmpegOpening> {
  const [search, sandbox] = await Promise.all([findFfmpeg(where), detectSandbox()])
  if (search.programs === undefined) return { ffmpeg: undefined, reason: search.reason }
  const ffmpeg = { programs: search.programs, sandbox }
  const plan = { program: 'ffmpeg', args: ['-filters'], pipes: 0, files: [] } as const
  const filters = (await runFfmpeg(ffmpeg, plan, { limits: { seconds: 20 } })).toString('latin1')
  return { ffmpeg: { ...ffmpeg, canToneMap: /\szscale\s/.test(filters) && /\stonemap\s/.test(filters) } }
}
