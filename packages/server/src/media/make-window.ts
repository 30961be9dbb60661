import { cutAudio } from './audio-segments.js'
import {
  type AudioWindow,
  audioWindowPlan,
  copyWindowPlan,
  type VideoWindow,
  videoWindowPlan,
} from './ffmpeg-args.js'
import { type Ffmpeg, type RunOptions, runFfmpeg, type TakeOutput } from './run-ffmpeg.js'
import { cutCopied, cutEncoded, type SegmentPart } from './video-segments.js'

/** Receives parts as soon as they are made; ffmpeg waits for it. `rung` is the index in the window's list. */
export type TakePart = (part: SegmentPart, rung: number) => void | Promise<void>

export type WindowOptions = Omit<RunOptions, 'outputs'>

const handTo =
  (take: TakePart, cut: (bytes: AsyncIterable<Buffer>) => AsyncIterable<SegmentPart>, rung = 0): TakeOutput =>
  async (bytes) => {
    for await (const part of cut(bytes)) await take(part, rung)
  }

/** Makes a window of one copied rung or of several encoded ones. */
export async function makeVideoWindow(
  ffmpeg: Ffmpeg,
  request: VideoWindow,
  take: TakePart,
  options: WindowOptions = {},
): Promise<void> {
  const { grid, window, rungs } = request
  const copies = rungs.filter(({ method }) => method === 'copy')
  if (copies.length > 0 && rungs.length > 1) throw new Error('A copied rung must be made alone.')
  const [plan, cut] =
    copies.length > 0
      ? ([copyWindowPlan(request), cutCopied] as const)
      : ([videoWindowPlan(request), cutEncoded] as const)
  const outputs = rungs.map((_, rung) => handTo(take, (bytes) => cut(bytes, grid, window), rung))
  await runFfmpeg(ffmpeg, plan, { ...options, outputs })
}

/** Makes a window of one audio track, or of several encoded ones of the same file. */
export async function makeAudioWindow(
  ffmpeg: Ffmpeg,
  requests: readonly AudioWindow[],
  take: TakePart,
  options: WindowOptions = {},
): Promise<void> {
  const outputs = requests.map(({ audio, window }, index) =>
    handTo(take, (bytes) => cutAudio(bytes, audio, window), index),
  )
  await runFfmpeg(ffmpeg, audioWindowPlan(requests), { ...options, outputs })
}
