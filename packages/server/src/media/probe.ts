import { inputName, namedWith, probeLimits } from './allowed.js'
import { nearestStandard, toNumber } from './fraction.js'
import { MediaError } from './media-error.js'
import { type MediaSource, sizeOf, withBytesOf } from './media-source.js'
import { avcOf, keyFramesOf, readMp4Layout } from './mp4-index.js'
import type { Probed } from './probed.js'
import { readFacts } from './read-facts.js'
import { type Ffmpeg, type FfmpegPlan, runFfmpeg } from './run-ffmpeg.js'
import { sniffBytes, sniffContainer } from './sniff.js'
import { type SourceFacts, SourceRefused, sourceLimits, type VideoFacts } from './source-facts.js'

/** Probes a file. Throws SourceRefused if it cannot be published, MediaError if a retry may work. */
export async function probeSource(ffmpeg: Ffmpeg, source: MediaSource): Promise<SourceFacts> {
  const size = await sizeOf(source)
  if (size === 0) throw new SourceRefused('empty', 'The file is empty.')
  const container = await withBytesOf(source, async (read) => sniffContainer(await read(0, sniffBytes)))
  if (container === undefined)
    throw new SourceRefused('not_media', 'The file is not a video or audio file that can be read here.')
  const layout = container === 'mov' ? await readMp4Layout(source, size, sourceLimits.indexBytes) : undefined
  if (layout?.isWhole === false)
    throw new SourceRefused(
      'incomplete',
      'The file ends too early; a part of it is missing. Upload it again.',
    )

  const facts = readFacts(await askFfprobe(ffmpeg, source), size)
  const { video, lead = 0, delay = 0 } = facts
  if (!video) return facts
  const known = layout?.moov && keyFramesOf(layout.moov, sourceLimits.keyFrames)
  if (layout?.moov && known) {
    const keyFrames = inOrder(known).map((time) => time + delay)
    return { ...facts, video: { ...video, keyFrames, avc: avcOf(layout.moov) } }
  }
  const { times, keyFrames, avc } = await scanPackets(ffmpeg, source, video, size)
  const fromStart = keyFrames && inOrder(keyFrames).map((time) => time - lead)
  return { ...facts, video: { ...video, ...steadied(video, times), keyFrames: fromStart, avc } }
}

/** The fewest timestamps that are meaningful. */
const fewestTimes = 10

/** Some containers declare a nominal rate; the display times decide. */
function steadied(video: VideoFacts, times: readonly number[]): Partial<VideoFacts> {
  if (!video.hasConstantRate || times.length < fewestTimes) return {}
  const shown = inOrder(times)
  const [first = 0, last = 0] = [shown[0], shown.at(-1)]
  const rate = toNumber(video.frameRate)
  // Some files have times in whole milliseconds, and some drop a frame now and then.
  const gaps = shown.filter((time, index) => index > 0 && (time - (shown[index - 1] ?? 0)) * rate > 1.5)
  if (gaps.length <= Math.max(2, shown.length / 30)) return {}
  const average = (shown.length - 1) / (last - first)
  return { frameRate: nearestStandard(Math.min(average, rate)), hasConstantRate: false }
}

const probePlan = (source: MediaSource, strangers: readonly string[]): FfmpegPlan => ({
  program: 'ffprobe',
  args: [
    ...probeLimits(source),
    ...namedWith(strangers),
    ...['-of', 'json', '-show_format', '-show_streams'],
    // The first packets show where the audio really begins; there may be several tracks of it.
    ...['-show_entries', 'packet=stream_index,pts', '-read_intervals', '%+#96'],
    inputName(source),
  ],
  pipes: 0,
  files: [],
})

/** Each codec in the file that is on neither list costs another try. */
const mostStrangers = 4

async function askFfprobe(ffmpeg: Ffmpeg, source: MediaSource): Promise<Probed> {
  const limits = { seconds: sourceLimits.probeSeconds }
  const strangers: string[] = []
  for (;;) {
    try {
      const answer = await runFfmpeg(ffmpeg, probePlan(source, strangers), { limits })
      return JSON.parse(answer.toString('utf8')) as Probed
    } catch (cause) {
      if (!(cause instanceof MediaError) || cause.code !== 'failed') throw cause
      const stranger = strangerIn(cause)
      if (!stranger || strangers.length >= mostStrangers || strangers.includes(stranger))
        throw probeRefusal(cause)
      strangers.push(stranger)
    }
  }
}

const strangerIn = ({ lines }: MediaError): string | undefined =>
  /Codec \((\w{1,40})\) not on whitelist/.exec(lines.join('\n'))?.[1]

function probeRefusal(cause: MediaError): SourceRefused {
  const written = cause.lines.join('\n')
  if (/Format not on whitelist/.test(written))
    return new SourceRefused('not_media', 'The file is not a video or audio file that can be read here.', {
      cause,
    })
  const codec = strangerIn(cause)
  if (codec)
    return new SourceRefused(
      'unknown_codec',
      `A track of the file is in a format (${codec}) that is not accepted. Convert it to H.264 and AAC.`,
      { cause },
    )
  return new SourceRefused('damaged', cause.message, { cause })
}

interface Scan {
  /** When pictures are shown, in seconds from the start. */
  readonly times: readonly number[]
  /** Undefined if not all of them are known. */
  readonly keyFrames?: readonly number[]
  readonly avc?: string | undefined
}

/** Without a central index, a small file is read entirely, and otherwise its beginning. */
async function scanPackets(
  ffmpeg: Ffmpeg,
  source: MediaSource,
  { index }: VideoFacts,
  size: number,
): Promise<Scan> {
  const isLarge = size > sourceLimits.scannedBytes
  const plan: FfmpegPlan = {
    program: 'ffprobe',
    args: [
      ...probeLimits(source),
      ...['-select_streams', String(index), '-of', 'csv=p=0'],
      // The track's extradata is the decoder's configuration.
      ...['-show_entries', 'packet=pts_time,flags:stream=extradata:format=start_time', '-show_data'],
      ...(isLarge ? ['-read_intervals', '%+30'] : []),
      inputName(source),
    ],
    pipes: 0,
    files: [],
  }
  const limits = { seconds: sourceLimits.probeSeconds }
  const answer = await runFfmpeg(ffmpeg, plan, { limits }).catch((error) => {
    // Key frames are helpful, not necessary.
    if (error instanceof MediaError && error.code !== 'aborted') return Buffer.alloc(0)
    throw error
  })
  const { times, keyFrames, avc } = readScan(answer.toString('latin1'))
  const areKnown = !isLarge && keyFrames.length > 0 && keyFrames.length <= sourceLimits.keyFrames
  return { times, avc, ...(areKnown ? { keyFrames } : {}) }
}

/**
 * Lines of packets, `0.04,K_`, the extradata as `00000000: 0164 001f …`, and last the start time of the file,
 * `0.000000`.
 */
function readScan(text: string) {
  const lines = text.split('\n').filter((line) => line !== '')
  const start = Number(lines.at(-1)) || 0
  const packets = lines.flatMap((line) => {
    const packet = /^(-?[\d.]+),(K?)/.exec(line)
    return packet ? [{ time: Number(packet[1]) - start, isKey: packet[2] === 'K' }] : []
  })
  const [, profile, rest] = /^"?00000000: 01([\da-f]{2}) ([\da-f]{4}) /m.exec(text) ?? []
  return {
    avc: profile && rest && profile + rest,
    times: packets.map(({ time }) => time),
    keyFrames: packets.filter(({ isKey }) => isKey).map(({ time }) => time),
  }
}

const inOrder = (times: readonly number[]) => [...times].sort((a, b) => a - b)
