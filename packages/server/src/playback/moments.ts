import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { hasTag } from '../edge/conditional.js'
import { surroundingsOf } from '../edge/origin.js'
import { ApiError, forbidden, invalid, invalidParameter, notFound } from '../errors.js'
import { isForEverybody } from '../features/videos/may-watch.js'
import { drawPictures } from '../films/pictures.js'
import { createTurns } from '../lib/in-turn.js'
import { createRecent } from '../lib/recent.js'
import { toNumber } from '../media/fraction.js'
import { blamesFile } from '../media/media-error.js'
import { movingPicturePlan } from '../media/moment-args.js'
import type { OpenedFfmpeg } from '../media/open-ffmpeg.js'
import { type PictureRequest, pictureSize, picturesPlan } from '../media/picture-args.js'
import type { FfmpegPlan } from '../media/run-ffmpeg.js'
import type { VideoFacts } from '../media/source-facts.js'
import { sourceKey } from '../media-segments/segment-keys.js'
import { withFilm } from '../media-segments/with-film.js'
import { type PlayerRequest, requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { addReading, inPath, type Playback } from './playback.js'
import { filmOf } from './videos.js'

/** Widths are rounded up to one of these, so that few pictures are made of each moment. */
const widths = [160, 240, 320, 480, 640, 960, 1280, 1920]
const mostMovingWidth = 640
const longestSeconds = 10
const usualSeconds = 5
const framesPerSecond = { usual: 10, most: 15 }
const drawing = { seconds: 30, outputBytes: 8 * 1024 ** 2 }

/** Each server draws two at a time, for those who ask first. */
const createDrawingTurns = () => createTurns(2, 50, tooMany)
const tooMany = () =>
  new ApiError(503, 'Too many pictures are being drawn. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  })
/** Pictures that were drawn lately, at most 64 MB of them on each server. Larger ones are not kept. */
const createDrawn = () => createRecent<Buffer>(600_000, 256)
const mostKept = 262_144

/** What to draw, and how its media type is called. */
interface Moment {
  readonly type: string
  /** What tells it apart from other pictures of the same film. */
  readonly name: string
  readonly width: number
  readonly plan: (picture: PictureRequest) => FfmpegPlan
}

const stillParameters = { time: undefined, width: undefined }
const movingParameters = { start: undefined, end: undefined, fps: undefined, width: undefined }

/** Pictures of any moment of a film, for those who may watch it. */
export function addMoments(app: FastifyInstance, playback: Playback): void {
  addReading(
    app,
    '/thumbnail/:file',
    (request, reply) => send(playback, request, reply, readStill),
    undefined,
    stillParameters,
  )
  addReading(
    app,
    '/animated/:file',
    (request, reply) => send(playback, request, reply, readMoving),
    undefined,
    movingParameters,
  )
}

/** Reads what is asked for from the parameters of an address and the facts of the film. */
type ReadMoment = (request: FastifyRequest, duration: number, video: VideoFacts, encrypted: boolean) => Moment

async function send(
  playback: Playback,
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadMoment,
): Promise<FastifyReply> {
  const [, id = ''] = /^([0-9a-f]{24})\.[a-z]+$/.exec(inPath(request, 'file')) ?? []
  const requested = await requestedVideo(playback, request, id, mayEmbed, surroundingsOf(request))
  const source = filmOf(requested.video)
  const { facts } = source.plan
  if (!facts.video) throw new ApiError(404, 'This video has no pictures, only sound.')
  const moment = read(request, facts.duration, facts.video, requested.seen.encrypted)
  const etag = `"${createHash('sha256').update(`${source._id} ${moment.name}`).digest('base64url').slice(0, 22)}"`
  reply.headers({ etag, ...caching(requested), 'cross-origin-resource-policy': 'cross-origin' })
  if (hasTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const { cache } = playback.media
  const draw = () =>
    cache(createDrawingTurns)('pictures', () => drawMoment(playback, source._id, facts, moment))
  const drawn = cache(createDrawn)
  const bytes = drawn.known(etag) ?? (await draw())
  if (bytes.length <= mostKept) await drawn.find(etag, async () => bytes)
  return reply.type(moment.type).send(bytes)
}

/** A film that everybody may watch has pictures that caches may share. */
function caching({ seen, video }: PlayerRequest) {
  const isPublic = !seen.sees_hidden && !video.isRuled && isForEverybody(video.record)
  return { 'cache-control': isPublic ? 'public, max-age=3600' : 'private, max-age=60' }
}

async function drawMoment(
  { media }: Playback,
  source_id: string,
  facts: PictureRequest['facts'],
  { plan, width }: Moment,
): Promise<Buffer> {
  const ffmpeg = media.ffmpeg.current()
  if (!ffmpeg) throw new ApiError(503, media.ffmpeg.problem())
  const size = pictureSize(facts.video ?? { width, height: width }, width)
  try {
    const [picture] = await withFilm(
      media.storage,
      ffmpeg,
      sourceKey(source_id),
      (source, reading: OpenedFfmpeg) => {
        const request = { source, facts, canToneMap: reading.canToneMap }
        return drawPictures(reading, [size], plan(request), undefined, drawing)
      },
    )
    if (!picture) throw notFound('picture')
    return picture.bytes
  } catch (error) {
    if (!blamesFile(error)) throw error
    throw invalid('This picture cannot be drawn. Ask for another moment, or for a smaller or shorter one.')
  }
}

const readStill: ReadMoment = (request, duration, video) => {
  if (!/\.jpg$/.test(inPath(request, 'file'))) throw notFound('picture')
  const query = queryOf(request)
  // Nobody sees a difference of a tenth of a second, and fewer pictures are made.
  const time = Math.round(numberIn(query, 'time', 0, [0, duration]) * 10) / 10
  const width = widthIn(query, 640, widths.at(-1) ?? 0)
  // The last picture begins before the end of the film.
  const seconds = Math.max(0, Math.min(time, duration - 1.5 / toNumber(video.frameRate)))
  const size = pictureSize(video, width)
  return {
    type: 'image/jpeg',
    name: `${seconds} ${width}`,
    width,
    plan: (picture) => picturesPlan(picture, seconds, [size]),
  }
}

const readMoving: ReadMoment = (request, duration, video, encrypted) => {
  const form = /\.(webp|gif)$/.exec(inPath(request, 'file'))?.[1]
  if (form !== 'webp' && form !== 'gif') throw notFound('picture')
  if (encrypted)
    throw forbidden('The films of this channel are encrypted, so there are no moving pictures of them.')
  const query = queryOf(request)
  const start = numberIn(query, 'start', 0, [0, duration])
  const end = numberIn(query, 'end', Math.min(start + usualSeconds, duration), [0, duration])
  if (end <= start) throw invalidParameter('end', 'must be after start')
  if (end - start > longestSeconds)
    throw invalidParameter('end', `must be at most ${longestSeconds} seconds after start`)
  const fps = Math.round(numberIn(query, 'fps', framesPerSecond.usual, [1, framesPerSecond.most]))
  const width = widthIn(query, 320, mostMovingWidth)
  const size = pictureSize(video, width)
  const moving = { form, start, seconds: end - start, framesPerSecond: fps, size } as const
  return {
    type: `image/${form}`,
    name: `${form} ${start} ${end} ${fps} ${width}`,
    width,
    plan: (picture) => movingPicturePlan(picture, moving),
  }
}

function numberIn(
  query: Readonly<Record<string, unknown>>,
  name: string,
  otherwise: number,
  [least, most]: readonly [number, number],
): number {
  const given = query[name]
  if (given === undefined || given === '') return otherwise
  const value = typeof given === 'string' && /^\d{1,6}(\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalidParameter(name, `must be a number from ${least} to ${Number(most.toFixed(2))}`)
}

function widthIn(query: Readonly<Record<string, unknown>>, otherwise: number, most: number): number {
  const asked = numberIn(query, 'width', otherwise, [16, most])
  return widths.find((width) => width >= asked) ?? most
}
