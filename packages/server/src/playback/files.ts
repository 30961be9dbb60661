import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../errors.js'
import { isForEverybody } from '../features/videos/may-watch.js'
import type { FilmClaims } from '../films/film-address.js'
import { type FileFormat, fileFormats } from '../media/formats.js'
import { fileKey, fileTrack, publishedFiles, publishesHls } from '../media-segments/published.js'
import type { Source } from '../media-segments/source-plan.js'
import type { ByteRange } from '../storage/storage.js'
import { filmPlace, masterAddress, mediaAddress } from './addresses.js'
import { type OpenedSource, opened, sharedClaims } from './caller.js'
import { addReading, type Playback } from './playback.js'
import { redirectToStore } from './redirect.js'
import { sendStored } from './send-object.js'
import { type AddressScope, type PlayableVideo, sharesSegments } from './videos.js'

/** The kinds of files as players name them; the media type ends with the kind. */
const kinds = {
  mp4_360p: { name: 'mp4' },
  webm_360p: { name: 'webm' },
} as const

const namesElsewhere = { hls: 'm3u8', mp4: 'mp4', webm: 'webm', mp3: 'mp3' } as const

/** MP4 and WebM files, for anyone with the signed address. */
export function addFiles(app: FastifyInstance, playback: Playback): void {
  for (const name of fileFormats)
    addReading(app, `/media/:token/${fileTrack(name)}`, async (request, reply) =>
      sendFile(playback, await opened(playback, request), name, request, reply),
    )
}

/** The last part of a file's address that viewers share. */
const sharedName = (name: FileFormat) => `film.${kinds[name].name}`

/** The file that a track and a name in an address mean, if any. */
export const fileNamed = (track: string, file: string): FileFormat | undefined =>
  fileFormats.find((name) => name === track && sharedName(name) === file)

export async function sendFile(
  playback: Playback,
  { source, wanted, encrypted, expires, caching }: OpenedSource,
  name: FileFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { storage } = playback.media
  // A channel that encrypts sends nothing in the clear.
  const isOffered = !encrypted && publishedFiles(wanted).includes(name)
  const key = fileKey(source._id, name)
  const file = { stat: () => storage.stat(key), read: (range?: ByteRange) => storage.read(key, range) }
  const type = `${source.plan.facts.video ? 'video' : 'audio'}/${kinds[name].name}`
  const sent =
    isOffered &&
    ((await redirectToStore(playback, request, reply, { key, type, expires, caching })) ||
      (await sendStored(request, reply, file, type, caching)))
  if (!sent) throw notFound('file')
  return reply
}

/** The address of a file for all who may watch. */
export const sharedFileAddress = (
  playback: Playback,
  claims: Omit<FilmClaims, 'track'>,
  name: FileFormat,
): string => `${filmPlace(playback, { ...claims, track: name })}/${sharedName(name)}`

interface Output {
  readonly name: string
  readonly url: string
}

/** What a player can choose from: playlists first, then finished files. There are no audio-only files. */
export function outputsOf(
  playback: Playback,
  seen: AddressScope,
  video: PlayableVideo,
  audio = false,
): Output[] {
  const { source, wanted, elsewhere } = video
  if (elsewhere.length > 0) return elsewhere.map(({ type, url }) => ({ name: namesElsewhere[type], url }))
  if (!source) return []
  const playlists = publishesHls(wanted)
    ? [{ name: 'm3u8', url: masterAddress(playback, seen, source, audio) }]
    : []
  const isClear = !seen.encrypted && !audio
  const files = isClear ? publishedFiles(wanted).filter((name) => isMade(video, name)) : []
  const url = (name: FileFormat) => fileAddress(playback, seen, video, source, name)
  return [...playlists, ...files.map((name) => ({ name: kinds[name].name, url: url(name) }))]
}

function fileAddress(
  playback: Playback,
  seen: AddressScope,
  { record, isRuled, channel }: PlayableVideo,
  source: Source,
  name: FileFormat,
): string {
  const isOpen = isForEverybody(record)
  if (!sharesSegments(playback.parts, seen, { isRuled, isOpen, channel }))
    return `${mediaAddress(playback, seen, source)}/${fileTrack(name)}`
  return sharedFileAddress(playback, sharedClaims(source._id, { encrypted: false, isOpen }), name)
}

/** The same for our player: a playlist, and a file as its fallback. */
export const playableIn = (outputs: readonly Output[]) => ({
  src: outputs.find(({ name }) => name === 'm3u8')?.url,
  file: outputs.find(({ name }) => name !== 'm3u8')?.url,
})

const isMade = ({ record }: PlayableVideo, file: FileFormat): boolean =>
  record.renditions?.some(({ name, status }) => name === file && status === 'ready') ?? false
