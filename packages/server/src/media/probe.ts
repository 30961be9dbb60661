import { open, stat } from 'node:fs/promises'
import { inputName, probeLimits } from './allowed.js'
import { MediaError } from './media-error.js'
import { keyFramesOf, readMp4Layout } from './mp4-index.js'
import { type Probed, readFacts } from './read-facts.js'
import { type Ffmpeg, type FfmpegPlan, runFfmpeg } from './run-ffmpeg.js'
import { sniffBytes, sniffContainer } from './sniff.js'
import { type SourceFacts, SourceRefused, sourceLimits, type VideoFacts } from './source-facts.js'

/** Learns what a file is. Throws SourceRefused for what cannot be published, MediaError for what may work another time. */
export async function probeSource(ffmpeg: Ffmpeg, path: string, signal?: AbortSignal): Promise<SourceFacts> {
  const { size } = await stat(path)
  if (size === 0) throw new SourceRefused('empty', 'The file is empty.')
  const container = sniffContainer(await readHead(path))
  if (container === undefined)
    throw new SourceRefused('not_media', 'The file is not a video or audio file that can be read here.')
  const layout = container === 'mov' ? await readMp4Layout(path, sourceLimits.indexBytes) : undefined
  if (layout?.isWhole === false)
    throw new SourceRefused(
      'incomplete',
      'The file ends too early; a part of it is missing. Upload it again.',
    )

  const facts = readFacts(await askFfprobe(ffmpeg, path, signal), size)
  if (!facts.video) return facts
  const known = layout?.moov && keyFramesOf(layout.moov, sourceLimits.keyFrames)
  const keyFrames = known ?? (await scanKeyFrames(ffmpeg, path, facts.video, size, signal))
  return { ...facts, video: { ...facts.video, keyFrames: keyFrames && inOrder(keyFrames) } }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const probePlan = (path: string): FfmpegPlan => ({
  program: 'ffprobe',
  args: [
    ...probeLimits,
    ...['-of', 'json', '-show_format', '-show_streams'],
    // The first packets say where the audio really begins.
    ...['-show_entries', 'packet=stream_index,pts', '-read_intervals', '%+#16'],
    inputName(path),
  ],
  pipes: 0,
  files: [],
})

async function askFfprobe(ffmpeg: Ffmpeg, path: string, signal?: AbortSignal): Promise<Probed> {
  const limits = { seconds: sourceLimits.probeSeconds }
  const answer = await runFfmpeg(ffmpeg, probePlan(path), { signal, limits }).catch((cause) => {
    throw cause instanceof MediaError && cause.code === 'failed' ? refusalOf(cause) : cause
  })
  return JSON.parse(answer.toString('utf8')) as Probed
}

function refusalOf(cause: MediaError): SourceRefused {
  const written = cause.lines.join('\n')
  if (/Format not on whitelist/.test(written))
    return new SourceRefused('not_media', 'The file is not a video or audio file that can be read here.', {
      cause,
    })
  const codec = /Codec \((\w{1,40})\) not on whitelist/.exec(written)?.[1]
  if (codec)
    return new SourceRefused(
      'unknown_codec',
      `A track of the file is in a format (${codec}) that is not accepted. Convert it to H.264 and AAC.`,
      { cause },
    )
  return new SourceRefused('damaged', cause.message, { cause })
}

/** Without an index in one place the file is read whole, so only if it is small. */
async function scanKeyFrames(
  ffmpeg: Ffmpeg,
  path: string,
  { index }: VideoFacts,
  size: number,
  signal?: AbortSignal,
): Promise<number[] | undefined> {
  if (size > sourceLimits.scannedBytes) return undefined
  const plan: FfmpegPlan = {
    program: 'ffprobe',
    args: [
      ...probeLimits,
      ...['-select_streams', String(index), '-of', 'csv=p=0'],
      ...['-show_entries', 'packet=pts_time,flags:format=start_time'],
      inputName(path),
    ],
    pipes: 0,
    files: [],
  }
  const limits = { seconds: sourceLimits.probeSeconds }
  const answer = await runFfmpeg(ffmpeg, plan, { signal, limits }).catch((error) => {
    // Key frames are a help, not a need.
    if (error instanceof MediaError && error.code !== 'aborted') return Buffer.alloc(0)
    throw error
  })
  return readScan(answer.toString('latin1'))
}

/** Lines of packets, `0.04,K_`, and the start of the file, `0.000000`, as the last. */
function readScan(text: string): number[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '')
  const start = Number(lines.at(-1)) || 0
  const found = lines.flatMap((line) => {
    const packet = /^(-?[\d.]+),K/.exec(line)
    return packet ? [Number(packet[1]) - start] : []
  })
  return found.length > 0 && found.length <= sourceLimits.keyFrames ? found : undefined
}

const inOrder = (times: readonly number[]) => [...times].sort((a, b) => a - b)
