import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.js'
import { type FileFormat, fileFormats } from '../media/formats.js'
import { fileKey, fileTrack, publishedFiles, publishesHls } from '../media-segments/published.js'
import type { ByteRange } from '../storage/storage.js'
import { masterAddress, mediaAddress } from './addresses.js'
import { opened } from './caller.js'
import { addReading, type Playback } from './playback.js'
import { sendStored } from './send-object.js'
import type { AddressScope, PlayableVideo } from './videos.js'

/** The kinds of files as players name them; the media type ends with the kind. */
const kinds = {
  mp4_360p: { name: 'mp4' },
  webm_360p: { name: 'webm' },
} as const

const namesElsewhere = { hls: 'm3u8', mp4: 'mp4', webm: 'webm', mp3: 'mp3' } as const

/** MP4 and WebM files, for anyone with the signed address. */
export function addFiles(app: FastifyInstance, playback: Playback): void {
  const { storage } = playback.media
  for (const name of fileFormats)
    addReading(app, `/media/:token/${fileTrack(name)}`, async (request, reply) => {
      const { source, wanted, encrypted, caching } = await opened(playback, request)
      // A channel that encrypts sends nothing in the clear.
      const isOffered = !encrypted && publishedFiles(wanted).includes(name)
      const key = fileKey(source._id, name)
      const file = { stat: () => storage.stat(key), read: (range?: ByteRange) => storage.read(key, range) }
      const type = `${source.plan.facts.video ? 'video' : 'audio'}/${kinds[name].name}`
      const sent = isOffered && (await sendStored(request, reply, file, type, caching))
      if (!sent) throw notFound('file')
      return reply
    })
}

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
  const place = mediaAddress(playback, seen, source)
  const playlists = publishesHls(wanted)
    ? [{ name: 'm3u8', url: masterAddress(playback, seen, source, audio) }]
    : []
  const isClear = !seen.encrypted && !audio
  const files = isClear ? publishedFiles(wanted).filter((name) => isMade(video, name)) : []
  return [
    ...playlists,
    ...files.map((name) => ({ name: kinds[name].name, url: `${place}/${fileTrack(name)}` })),
  ]
}

/** The same for our player: a playlist, and a file as its fallback. */
export const playableIn = (outputs: readonly Output[]) => ({
  src: outputs.find(({ name }) => name === 'm3u8')?.url,
  file: outputs.find(({ name }) => name !== 'm3u8')?.url,
})

const isMade = ({ record }: PlayableVideo, file: FileFormat): boolean =>
  record.renditions?.some(({ name, status }) => name === file && status === 'ready') ?? false
