import { type Fraction, nearestStandard, readFraction, toNumber } from './fraction.js'
import { type Probed, type ProbedStream, positive } from './probed.js'
import { readSounds } from './read-audio.js'
import { readSubtitleTracks } from './read-subtitle-tracks.js'
import { refuseCodec } from './refuse-codec.js'
import { type SourceFacts, SourceRefused, sourceLimits, type VideoFacts } from './source-facts.js'

/** Facts from ffprobe's output; throws if the file must be refused. */
export function readFacts(probed: Probed, bytes: number): SourceFacts {
  const streams = probed.streams ?? []
  if (streams.length > sourceLimits.tracks)
    throw new SourceRefused(
      'too_many_tracks',
      `The file has ${streams.length} tracks; at most ${sourceLimits.tracks} are accepted.`,
    )
  const found = streams.find((stream) => stream.codec_type === 'video' && !stream.disposition?.attached_pic)
  const sounds = streams.filter((stream) => stream.codec_type === 'audio' && stream.codec_name !== undefined)
  if (!found && sounds.length === 0)
    throw new SourceRefused('no_streams', 'The file has neither video nor audio that could be played.')
  if (found) refuseCodec(found)
  const { main, ...audio } = readSounds(sounds, probed)

  const begin = beginOf(probed, found)
  const duration = durationOf(probed, found ?? main, begin)
  return {
    container: (probed.format?.format_name ?? '').split(',')[0] ?? '',
    bytes,
    duration,
    ...begin,
    ...(found && {
      video: { ...readVideo(found, duration), ...rateOfVideo(streams, found, bytes, duration) },
    }),
    ...audio,
    ...readSubtitleTracks(streams),
  }
}

/** Rounding may make a track's declared size exceed its file's by this factor. */
const claimable = 1.05

/**
 * The video's rate is what the other tracks leave of the file, unless the container declares one that fits.
 */
function rateOfVideo(
  streams: readonly ProbedStream[],
  video: ProbedStream,
  bytes: number,
  duration: number,
): Pick<VideoFacts, 'bitrate'> {
  const whole = (bytes * 8) / duration
  const declared = declaredRate(video)
  if (declared !== undefined && declared <= whole * claimable) return { bitrate: declared }
  const others = streams.filter((stream) => stream !== video).map((stream) => declaredRate(stream) ?? 0)
  const rest = whole - others.reduce((sum, rate) => sum + rate, 0)
  // Implausible rates of other tracks are not trusted either.
  return { bitrate: Math.round(rest > whole / 10 ? rest : whole) }
}

/** Matroska has it in a tag, if its writer counted. */
const declaredRate = ({ bit_rate, tags }: ProbedStream) =>
  positive(bit_rate) ?? positive(tags?.BPS ?? tags?.['BPS-eng'])

function durationOf(
  probed: Probed,
  stream: ProbedStream | undefined,
  { delay = 0 }: Pick<SourceFacts, 'delay'>,
): number {
  const own = ownDuration(stream)
  const duration = own === undefined ? positive(probed.format?.duration) : own + delay
  if (duration === undefined)
    throw new SourceRefused(
      'damaged',
      'The file does not say how long it is; it is damaged or still being recorded.',
    )
  const longest = Math.max(duration, positive(probed.format?.duration) ?? 0)
  if (longest > sourceLimits.seconds)
    throw new SourceRefused(
      'too_long',
      `The file says it lasts ${Math.round(longest / 3600)} hours; at most ${sourceLimits.seconds / 3600} are accepted.`,
    )
  return inMicroseconds(duration)
}

const inMicroseconds = (seconds: number) => Math.round(seconds * 1e6) / 1e6

/** Matroska has the end in a tag, as 00:00:10.000000000. */
function ownDuration(stream: ProbedStream | undefined): number | undefined {
  const tag = /^(\d{1,4}):(\d\d):(\d\d(?:\.\d+)?)$/.exec(stream?.tags?.DURATION ?? '')
  const start = Math.max(0, Number(stream?.start_time) || 0)
  return positive(stream?.duration) ?? (tag ? positive(sum(tag) - start) : undefined)
}

/** Encoder padding before the video must not be shown or heard. */
const longestLead = 0.1

function beginOf({ format }: Probed, video: ProbedStream | undefined): Pick<SourceFacts, 'lead' | 'delay'> {
  const later = Number(video?.start_time) - Number(format?.start_time)
  if (!(later > 0)) return {}
  return later <= longestLead ? { lead: later } : { delay: later }
}

const sum = ([, hours, minutes, seconds]: readonly string[]) =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)

const hdrTransfers = new Set(['smpte2084', 'arib-std-b67'])
const fieldOrders = new Set(['tt', 'bb', 'tb', 'bt'])

function readVideo(stream: ProbedStream, whole: number): VideoFacts {
  const { width = 0, height = 0, pix_fmt } = stream
  if (width < 2 || height < 2 || pix_fmt === undefined)
    throw new SourceRefused('damaged', 'The video of the file cannot be read; the file is damaged.')
  const aspect = readFraction(stream.sample_aspect_ratio)
  const shape = displayShape(stream, width, height, aspect)
  if (Math.max(width, height, shape.width, shape.height) > sourceLimits.side)
    throw new SourceRefused(
      'too_large_picture',
      `The picture is ${shape.width} by ${shape.height}; at most ${sourceLimits.side} by ${sourceLimits.side} is accepted.`,
    )
  return {
    index: stream.index ?? 0,
    codec: stream.codec_name ?? '',
    profile: stream.profile,
    level: positive(stream.level),
    pixelFormat: pix_fmt,
    ...shape,
    codedWidth: width,
    codedHeight: height,
    hasSquarePixels: aspect === undefined || toNumber(aspect) === 1,
    ...rateOf(stream),
    isHdr: hdrTransfers.has(stream.color_transfer ?? ''),
    isInterlaced: fieldOrders.has(stream.field_order ?? ''),
    duration: whole,
  }
}

/** Wide pixels widen the picture and tall ones heighten it; no pixel is lost. */
function displayShape(stream: ProbedStream, width: number, height: number, aspect: Fraction | undefined) {
  const ratio = aspect ? toNumber(aspect) : 1
  const square = {
    width: Math.round(ratio > 1 ? width * ratio : width),
    height: Math.round(ratio < 1 ? height / ratio : height),
  }
  const turned = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0
  const rotation = ((((Math.round(turned / 90) * 90) % 360) + 360) % 360) as VideoFacts['rotation']
  return rotation % 180 === 0
    ? { ...square, rotation }
    : { width: square.height, height: square.width, rotation }
}

const fastest = 60
/** Rates that differ less than this are one rate with rounded timestamps. */
const sameRate = 0.005

function rateOf({ r_frame_rate, avg_frame_rate }: ProbedStream) {
  const ticks = readFraction(r_frame_rate)
  const average = readFraction(avg_frame_rate) ?? ticks
  if (!average) return { frameRate: nearestStandard(30), hasConstantRate: false }
  const rate = toNumber(average)
  const isConstant = ticks !== undefined && Math.abs(toNumber(ticks) / rate - 1) < sameRate
  if (isConstant && rate <= fastest * (1 + sameRate) && rate >= 1 && isHandy(ticks))
    return { frameRate: ticks, hasConstantRate: true }
  return { frameRate: nearestStandard(Math.min(rate, fastest)), hasConstantRate: false }
}

/** A track's clock has 32 bits, so frame and second must both be whole numbers of ticks. */
const isHandy = ({ numerator, denominator }: Fraction) => numerator <= 100_000 && denominator <= 100_000
