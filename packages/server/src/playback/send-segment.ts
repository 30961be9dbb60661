import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound } from '../errors.js'
import { isStarved } from '../media/media-error.js'
import { isSound, type Part } from '../media-segments/segment-keys.js'
import { keyOfSegment, readSegment } from '../media-segments/segments.js'
import { NotMadeHere, TooManyWaiting, WindowFailed } from '../media-segments/window-store.js'
import type { OpenedObject } from '../storage/storage.js'
import type { OpenedSource } from './caller.js'
import { encrypt, segmentKeyOf } from './encryption.js'
import { inPath, type Playback } from './playback.js'
import { redirectToStore } from './redirect.js'
import { sendObject } from './send-object.js'

export const nothingThere = () => notFound('part of the video')

/** Which segment of which track. */
interface WantedSegment {
  readonly track: string
  readonly part: Part
}

/** The segment that the path of a request names. */
export function partIn(request: FastifyRequest): WantedSegment {
  const part = partOf(inPath(request, 'file'))
  if (part === undefined) throw nothingThere()
  return { track: inPath(request, 'track'), part }
}

/** Sends a segment, and has it made if it does not exist yet. */
export async function sendSegment(
  playback: Playback,
  { source, encrypted, expires, caching }: OpenedSource,
  { track, part }: WantedSegment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { media, parts } = playback
  const key = keyOfSegment(source, track, part)
  if (key === undefined) throw nothingThere()
  // Stored segments are not encrypted.
  const atStore = { key, type: segmentType(track, part), expires, caching }
  if (!encrypted && (await redirectToStore(playback, request, reply, atStore))) return reply
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const object = await readSegment(media, source, track, part, gone.signal)
    if (!object) throw nothingThere()
    const sent =
      encrypted && part !== 'init' ? encrypt(object, segmentKeyOf(parts.sealer, source._id), part) : object
    return sendUnlessGone(request, reply, sent, segmentType(track, part), caching)
  } catch (error) {
    // The client has disconnected; nothing went wrong.
    if (gone.signal.aborted) return reply.hijack()
    throw segmentError(error)
  }
}

function sendUnlessGone(
  request: FastifyRequest,
  reply: FastifyReply,
  object: OpenedObject,
  type: string,
  caching: OpenedSource['caching'],
): FastifyReply {
  if (!reply.raw.destroyed) return sendObject(request, reply, object, type, caching)
  object.body.destroy()
  return reply.hijack()
}

/** A segment is not a complete film, so it has the segment type. Audio segments have no type of their own. */
function segmentType(track: string, part: Part): string {
  if (part !== 'init') return 'video/iso.segment'
  return isSound(track) ? 'audio/mp4' : 'video/mp4'
}

function partOf(file: string): Part | undefined {
  if (file === 'init.mp4') return 'init'
  const number = /^(0|[1-9]\d{0,6})\.m4s$/.exec(file)?.[1]
  return number === undefined ? undefined : Number(number)
}

function segmentError(cause: unknown): unknown {
  if (cause instanceof WindowFailed)
    return new ApiError(500, `This part of the video could not be made. ${cause.message}`, { cause })
  if (cause instanceof NotMadeHere || isStarved(cause))
    return new ApiError(503, 'This part of the video has not been made yet. Try again later.', {
      headers: { 'Retry-After': '30' },
      cause,
    })
  if (cause instanceof TooManyWaiting)
    return new ApiError(503, 'Too many viewers are waiting for parts of videos. Try again in a moment.', {
      headers: { 'Retry-After': '5' },
      cause,
    })
  return cause
}
