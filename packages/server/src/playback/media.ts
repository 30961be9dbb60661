import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { unavailable } from '../errors.js'
import { whileAlive } from '../lib/while-alive.js'
import { masterPlaylist, type Track } from '../media/master-playlist.js'
import { keyFramePlaylist, mediaPlaylist } from '../media/playlists.js'
import { keyFramesOf, type Measured, measureTracks } from '../media-segments/measured.js'
import { isSound } from '../media-segments/segment-keys.js'
import { soundRenditions } from '../media-segments/sounds.js'
import { secondsOfTrack, targetDurationOf } from '../media-segments/track-seconds.js'
import { filmPlace, mediaAddress, mediaPlace } from './addresses.js'
import { type OpenedSource, opened, requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { segmentKeyOf } from './encryption.js'
import { addReading, countRequest, inPath, type Playback, sendPlaylist, uncached } from './playback.js'
import { nothingThere, partIn, sendSegment } from './send-segment.js'
import { subtitleRenditions } from './subtitles.js'
import { playable, withPlaylists } from './videos.js'

/**
 * Playlists and segments. The master playlist needs a credential; everything below it needs only the signed
 * address.
 */
export function addMedia(app: FastifyInstance, playback: Playback): void {
  const { parts } = playback
  const manifest = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = inPath(request, 'id').replace(/\.m3u8$/, '')
    const requested = await requestedVideo(playback, request, id, mayEmbed, surroundingsOf(request))
    const { seen, video } = requested
    countRequest(playback, request, requested)
    const elsewhere = video.elsewhere.find(({ type }) => type === 'hls')
    if (elsewhere) return reply.headers(uncached).redirect(elsewhere.url)
    const source = playable(video)
    const place = mediaAddress(playback, seen, source)
    return sendPlaylist(request, reply, await masterOf(playback, { source, ...seen }, place))
  }
  addReading(app, '/manifest/:id', manifest, undefined, {})
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
    const opened = await openedHls(playback, request)
    return sendPlaylist(request, reply, playlistOf(playback, opened, inPath(request, 'track')))
  })
  addReading(app, '/media/:token/:track/iframes.m3u8', async (request, reply) => {
    const opened = await openedHls(playback, request)
    const { source, encrypted } = opened
    const track = inPath(request, 'track')
    const isShown = !encrypted && !isSound(track)
    const keyBytes = isShown && (await looked(playback, keyFramesOf(parts.database.db, source, track)))
    if (!keyBytes) throw nothingThere()
    return sendPlaylist(
      request,
      reply,
      keyFramePlaylist({ ...playlistSegments(playback, opened, track), keyBytes }),
    )
  })
  addReading(app, '/media/:token/:track/:file', async (request, reply) =>
    sendSegment(playback, await openedHls(playback, request), partIn(request), request, reply),
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

/** Keys are at the address of the viewer, unlike segments. */
const playlistOf = (playback: Playback, opened: OpenedSource, track: string): string =>
  mediaPlaylist({
    ...playlistSegments(playback, opened, track),
    ...(opened.encrypted ? { key: { address: '../key' } } : {}),
  })

/** Segments have addresses that viewers share, or else addresses beside the playlist, which are for one viewer. */
function playlistSegments(playback: Playback, { source: { plan }, shared }: OpenedSource, track: string) {
  const seconds = secondsOfTrack(plan, track)
  if (!seconds) throw nothingThere()
  const place = shared ? `${filmPlace(playback, { ...shared, track })}/` : ''
  const segmentAddress = (segment: number) => `${place}${segment}.m4s`
  return { seconds, target: targetDurationOf(plan), initAddress: `${place}init.mp4`, segmentAddress }
}

/** The content that a signed address opens, reduced to what its playlists offer. */
async function openedHls(playback: Playback, request: FastifyRequest): Promise<OpenedSource> {
  const { source, ...rest } = await opened(playback, request)
  return { ...rest, source: withPlaylists(source, rest.wanted) }
}
