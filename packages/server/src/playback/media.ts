import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, notFound, unavailable } from '../errors.js'
import { surroundingsOf } from '../http/origin.js'
import { whileAlive } from '../http/while-alive.js'
import { masterPlaylist, type Track } from '../media/master-playlist.js'
import { keyFramePlaylist, mediaPlaylist } from '../media/playlists.js'
import { keyFramesOf, type Measured, measureTracks } from '../media-segments/measured.js'
import { isSound, type Part } from '../media-segments/segment-keys.js'
import { readSegment } from '../media-segments/segments.js'
import { soundRenditions } from '../media-segments/sounds.js'
import type { SourcePlan } from '../media-segments/source-plan.js'
import { secondsOfTrack, targetDurationOf } from '../media-segments/track-seconds.js'
import { NotMadeHere, TooManyWaiting, WindowFailed } from '../media-segments/window-store.js'
import type { OpenedObject } from '../storage/storage.js'
import { mediaAddress, mediaPlace } from './addresses.js'
import { type OpenedSource, opened, requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { encrypt, segmentKeyOf } from './encryption.js'
import { addReading, countRequest, inPath, type Playback, sendPlaylist, uncached } from './playback.js'
import { sendObject } from './send-object.js'
import { subtitleRenditions } from './subtitles.js'
import { playable, withPlaylists } from './videos.js'

/**
 * Playlists and segments. The master playlist needs a credential; everything below it needs only the signed
 * address.
 */
export function addMedia(app: FastifyInstance, playback: Playback): void {
  const { parts } = playback
  addReading(app, '/manifest/:id', async (request, reply) => {
    const id = inPath(request, 'id').replace(/\.m3u8$/, '')
    const requested = await requestedVideo(playback, request, id, mayEmbed, surroundingsOf(request))
    const { seen, video } = requested
    countRequest(playback, request, requested)
    const elsewhere = video.elsewhere.find(({ type }) => type === 'hls')
    if (elsewhere) return reply.headers(uncached).redirect(elsewhere.url)
    const source = playable(video)
    const place = mediaAddress(playback, seen, source)
    return sendPlaylist(request, reply, await masterOf(playback, { source, ...seen }, place))
  })
  addReading(app, '/media/:token/master.m3u8', async (request, reply) => {
    const shown = await openedHls(playback, request)
    const place = mediaPlace(playback, inPath(request, 'token'))
    return sendPlaylist(request, reply, await masterOf(playback, shown, place))
  })
  addReading(app, '/media/:token/sound.m3u8', async (request, reply) => {
    const { source, encrypted } = await openedHls(playback, request)
    if (!source.plan.audio) throw nothingThere()
    const sound = { ...source, plan: { ...source.plan, rungs: [] } }
    const place = mediaPlace(playback, inPath(request, 'token'))
    return sendPlaylist(request, reply, await masterOf(playback, { source: sound, encrypted }, place))
  })
  addReading(app, '/media/:token/key', async (request, reply) => {
    const { source, encrypted } = await opened(playback, request)
    if (!encrypted) throw nothingThere()
    reply.headers({ ...uncached, 'cross-origin-resource-policy': 'cross-origin' })
    return reply.type('application/octet-stream').send(segmentKeyOf(parts.sealer, source._id))
  })
  addReading(app, '/media/:token/:track/index.m3u8', async (request, reply) => {
    const { source, encrypted } = await openedHls(playback, request)
    return sendPlaylist(request, reply, playlistOf(source.plan, inPath(request, 'track'), encrypted))
  })
  addReading(app, '/media/:token/:track/iframes.m3u8', async (request, reply) => {
    const { source, encrypted } = await openedHls(playback, request)
    const track = inPath(request, 'track')
    const isShown = !encrypted && !isSound(track)
    const keyBytes = isShown && (await looked(playback, keyFramesOf(parts.database.db, source, track)))
    if (!keyBytes) throw nothingThere()
    return sendPlaylist(
      request,
      reply,
      keyFramePlaylist({ ...playlistSegments(source.plan, track), keyBytes }),
    )
  })
  addReading(app, '/media/:token/:track/:file', async (request, reply) =>
    sendSegment(playback, await openedHls(playback, request), request, reply),
  )
}

/** The addresses in it begin with `place`: below a signed address they expire with that address. */
async function masterOf(
  playback: Playback,
  { source, encrypted }: Pick<OpenedSource, 'source' | 'encrypted'>,
  place: string,
): Promise<string> {
  const { grid, rungs } = source.plan
  const [subtitles, rates] = await Promise.all([
    subtitleRenditions(playback, source),
    looked(playback, measureTracks(playback.media.cache, playback.parts.database.db, source)),
  ])
  const address = (track: Track) =>
    `${place}/${trackName(track)}/${track.kind === 'keyFrames' ? 'iframes' : 'index'}.m3u8`
  const measured = (track: Track) => ratesOf(rates, track, encrypted)
  const sounds = soundRenditions(source.plan)
  return masterPlaylist({ grid, rungs, sounds, subtitles, measured, address })
}

const looked = <T>({ parts }: Playback, looking: Promise<T>): Promise<T> =>
  whileAlive(parts.database, looking, () => unavailable(undefined))

function ratesOf(rates: Measured, track: Track, encrypted: boolean) {
  const found = rates.get(trackName(track))
  if (track.kind !== 'keyFrames') return found?.rates
  // A byte range of an encrypted segment cannot be decrypted alone.
  return encrypted ? undefined : found?.keyRates
}

function trackName(track: Track): string {
  if (track.kind === 'subtitles') return `subtitles/${track.id}`
  return 'rung' in track ? track.rung.name : track.name
}

const playlistOf = (plan: SourcePlan, track: string, encrypted: boolean): string =>
  mediaPlaylist({ ...playlistSegments(plan, track), ...(encrypted ? { key: { address: '../key' } } : {}) })

function playlistSegments(plan: SourcePlan, track: string) {
  const seconds = secondsOfTrack(plan, track)
  if (!seconds) throw nothingThere()
  const segmentAddress = (segment: number) => `${segment}.m4s`
  return { seconds, target: targetDurationOf(plan), initAddress: 'init.mp4', segmentAddress }
}

const nothingThere = () => notFound('part of the video')

/** The content that a signed address opens, reduced to what its playlists offer. */
async function openedHls(playback: Playback, request: FastifyRequest): Promise<OpenedSource> {
  const { source, ...rest } = await opened(playback, request)
  return { ...rest, source: withPlaylists(source, rest.wanted) }
}

async function sendSegment(
  { media, parts }: Playback,
  { source, encrypted, caching }: OpenedSource,
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
  if (cause instanceof NotMadeHere)
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
