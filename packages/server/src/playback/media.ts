import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound, unavailable } from '../errors.js'
import { whileAlive } from '../http/while-alive.js'
import {
  audioSecondsOf,
  masterPlaylist,
  mediaPlaylist,
  type Track,
  videoSeconds,
} from '../media/playlists.js'
import { audioTrack, NotMadeHere, readSegment } from '../media-segments/segments.js'
import { findSource, type Source, type SourcePlan } from '../media-segments/source-plan.js'
import { WindowFailed } from '../media-segments/window-store.js'
import type { OpenedObject } from '../storage/storage.js'
import { mediaAddress, mediaPlace } from './addresses.js'
import { askedVideo, claimsOf } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { encrypt, segmentKeyOf } from './encryption.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { sendObject } from './send-object.js'
import { checkStillSeen, playable } from './videos.js'

const playlistType = 'application/vnd.apple.mpegurl'

/** Playlists and segments: the first with a credential, everything below it with the address alone. */
export function addMedia(app: FastifyInstance, playback: Playback): void {
  const { parts } = playback
  addReading(app, '/manifest/:id', async (request, reply) => {
    const id = inPath(request, 'id').replace(/\.m3u8$/, '')
    const { seen, video } = await askedVideo(playback, request, id, mayEmbed)
    const source = playable(video)
    return sendPlaylist(reply, masterOf(source, mediaAddress(playback, seen, source)))
  })
  addReading(app, '/media/:token/master.m3u8', async (request, reply) => {
    const { source } = await opened(playback, request)
    return sendPlaylist(reply, masterOf(source, mediaPlace(playback, inPath(request, 'token'))))
  })
  addReading(app, '/media/:token/key', async (request, reply) => {
    const { source, encrypted } = await opened(playback, request)
    if (!encrypted) throw nothingThere()
    reply.headers({ ...uncached, 'cross-origin-resource-policy': 'cross-origin' })
    return reply.type('application/octet-stream').send(segmentKeyOf(parts.sealer, source._id))
  })
  addReading(app, '/media/:token/:track/index.m3u8', async (request, reply) => {
    const { source, encrypted } = await opened(playback, request)
    return sendPlaylist(reply, playlistOf(source.plan, inPath(request, 'track'), encrypted))
  })
  addReading(app, '/media/:token/:track/:file', async (request, reply) =>
    sendSegment(playback, await opened(playback, request), request, reply),
  )
}

const sendPlaylist = (reply: FastifyReply, playlist: string): FastifyReply =>
  reply
    .headers({ ...uncached, 'cross-origin-resource-policy': 'cross-origin' })
    .type(playlistType)
    .send(playlist)

/** The addresses in it begin with `place`: below a signed address they last as long as it does, and no longer. */
function masterOf({ plan: { grid, rungs, audio } }: Source, place: string): string {
  return masterPlaylist({ grid, rungs, audio, address: (track) => `${place}/${nameOf(track)}/index.m3u8` })
}

const nameOf = (track: Track): string => (track.kind === 'video' ? track.rung.name : track.kind)

function playlistOf({ grid, rungs, audio }: SourcePlan, track: string, encrypted: boolean): string {
  const isVideo = rungs.some(({ name }) => name === track)
  const seconds = isVideo
    ? videoSeconds(grid)
    : track === audioTrack && audio
      ? audioSecondsOf(audio)
      : undefined
  if (!seconds) throw nothingThere()
  return mediaPlaylist({
    seconds,
    initAddress: 'init.mp4',
    segmentAddress: (segment) => `${segment}.m4s`,
    ...(encrypted ? { key: { address: '../key' } } : {}),
  })
}

const nothingThere = () => notFound('part of the video')

/** What the address of a request opens. */
interface Opened {
  readonly source: Source
  readonly encrypted: boolean
}

/** The source that the address of a request opens, if its video is still to be seen. */
async function opened({ parts }: Playback, request: FastifyRequest): Promise<Opened> {
  const claims = claimsOf(parts, inPath(request, 'token'))
  const { db } = parts.database
  const find = async () => {
    await checkStillSeen(parts, claims, claims.video_id)
    return findSource(db, claims.site_id, claims.source_id)
  }
  const source = await whileAlive(db, find(), () => unavailable(undefined))
  if (!source) throw notFound('video')
  return { source, encrypted: claims.encrypted }
}

async function sendSegment(
  { media, parts }: Playback,
  { source, encrypted }: Opened,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const track = inPath(request, 'track')
  const part = partOf(inPath(request, 'file'))
  if (part === undefined) throw nothingThere()
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const object = await readSegment(media, source, track, part, gone.signal)
    if (!object) throw nothingThere()
    const sent =
      encrypted && part !== 'init' ? encrypt(object, segmentKeyOf(parts.sealer, source._id), part) : object
    return sendUnlessGone(request, reply, sent, track)
  } catch (error) {
    // There is nobody left to answer, and nothing went wrong.
    if (gone.signal.aborted) return reply.hijack()
    throw explained(error)
  }
}

function sendUnlessGone(
  request: FastifyRequest,
  reply: FastifyReply,
  object: OpenedObject,
  track: string,
): FastifyReply {
  if (!reply.raw.destroyed)
    return sendObject(request, reply, object, track === audioTrack ? 'audio/mp4' : 'video/mp4')
  object.body.destroy()
  return reply.hijack()
}

function partOf(file: string): 'init' | number | undefined {
  if (file === 'init.mp4') return 'init'
  const number = /^(0|[1-9]\d{0,6})\.m4s$/.exec(file)?.[1]
  return number === undefined ? undefined : Number(number)
}

function explained(cause: unknown): unknown {
  if (cause instanceof WindowFailed)
    return new ApiError(500, `This part of the video could not be made. ${cause.message}`, { cause })
  if (cause instanceof NotMadeHere)
    return new ApiError(503, 'This part of the video has not been made yet. Try again later.', {
      headers: { 'Retry-After': '30' },
      cause,
    })
  return cause
}
