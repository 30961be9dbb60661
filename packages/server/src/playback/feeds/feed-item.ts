import type { Catalog, RecordOf } from '@zoetrope/contract'
import type { File } from '../../features/self-hosted/files.js'
import { isForEverybody } from '../../features/videos/may-watch.js'
import { feedExpiryFrom, signAddress } from '../../films/signed-address.js'
import { mediaPlace } from '../addresses.js'
import { sharedFileAddress } from '../files.js'
import type { Playback } from '../playback.js'
import { thumbnailsOf } from '../thumbnails.js'

export type FeedVideo = RecordOf<Catalog['videos']>

/** The file or playlist to play. */
interface Medium {
  readonly kind: 'video' | 'audio'
  readonly url: string
  readonly type: string
  readonly bytes: number | undefined
  readonly width: number | undefined
  readonly height: number | undefined
}

/** A video in a feed, independent of the format. */
export interface FeedItem {
  readonly video: FeedVideo
  readonly medium: Medium
  readonly pictures: readonly { readonly url: string; readonly width?: number; readonly height?: number }[]
  readonly updatedAt: string
}

export interface FeedOptions {
  readonly media: 'hls' | 'mp4'
  /** Whether the channel encrypts its films, so that there are no files. */
  readonly encrypted: boolean
}

/** An audio-only film. */
export interface SoundAlone {
  readonly has_playlists: boolean
}

/** The video with an address that plays it; undefined if it is not public or not playable. */
export function feedItem(
  playback: Playback,
  video: FeedVideo,
  wanted: FeedOptions,
  elsewhere: readonly File[] | undefined,
  sound: SoundAlone | undefined,
): FeedItem | undefined {
  if (video.status !== 'ready' || !isForEverybody(video)) return undefined
  const medium = elsewhere ? mediumElsewhere(elsewhere, wanted) : mediumHere(playback, video, wanted, sound)
  if (!medium) return undefined
  const own = video.custom_thumbnail_url
  return { video, medium, pictures: own ? [{ url: own }] : thumbnailsOf(video), updatedAt: video.updated_at }
}

const types = {
  hls: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
} as const

/** A film at the publisher's own address. */
function mediumElsewhere(files: readonly File[], { media }: FeedOptions): Medium | undefined {
  const file = files.find(({ type }) => type === media) ?? files[0]
  const kind = file?.type === 'mp3' ? 'audio' : 'video'
  return file && { kind, url: file.url, type: types[file.type], bytes: undefined, ...sizeIfKnown(file) }
}

function mediumHere(
  playback: Playback,
  video: FeedVideo,
  wanted: FeedOptions,
  sound: SoundAlone | undefined,
): Medium | undefined {
  const source_id = video.data_sources.find(({ active }) => active)?._id
  if (source_id === undefined) return undefined
  const claims = { site_id: video.site_id, video_id: video._id, source_id }
  const nobody = {
    sees_hidden: false,
    consumer_id: '',
    client_facts: '',
    grant: '',
    encrypted: wanted.encrypted,
  }
  const expires = feedExpiryFrom(Date.now())
  const token = signAddress(playback.parts.sealer, { ...claims, ...nobody, expires })
  const shared = { source_id, encrypted: false, is_admitted: false, expires }
  const addresses = {
    playlist: `${mediaPlace(playback, token)}/master.m3u8`,
    file: sharedFileAddress(playback, shared, 'mp4_360p'),
  }
  return mediumOf(video, addresses, wanted, sound)
}

function mediumOf(
  video: FeedVideo,
  addresses: { readonly playlist: string; readonly file: string },
  { media, encrypted }: FeedOptions,
  sound: SoundAlone | undefined,
): Medium | undefined {
  const kind = sound ? 'audio' : 'video'
  const file = video.renditions.find(({ name, status }) => name === 'mp4_360p' && status === 'ready')
  if (media === 'mp4' && file && !encrypted) {
    const facts = { bytes: file.filesize ?? undefined, ...sizeIfKnown(file) }
    return { kind, url: addresses.file, type: `${kind}/mp4`, ...facts }
  }
  const [largest] = video.renditions
    .filter(({ name }) => name.startsWith('hls_'))
    .sort((one, other) => (other.height ?? 0) - (one.height ?? 0))
  // Audio has no size, so it appears in no rendition.
  if (!largest && !sound?.has_playlists) return undefined
  const size = sizeIfKnown(largest ?? { width: null, height: null })
  return { kind, url: addresses.playlist, type: types.hls, bytes: undefined, ...size }
}

const sizeIfKnown = ({
  width,
  height,
}: {
  readonly width: number | null
  readonly height: number | null
}) => ({
  width: width ?? undefined,
  height: height ?? undefined,
})
