import type { Source } from '../media-segments/source-plan.js'
import type { Playback } from './playback.js'
import { expiryFrom, signAddress } from './signed-address.js'
import type { Seen } from './videos.js'

/** Where the playlists and segments of a source are, for whoever may watch it now. */
export function mediaAddress({ parts, playerUrl }: Playback, { sees_hidden }: Seen, source: Source): string {
  const { site_id, video_id, _id } = source
  const expires = expiryFrom(Date.now())
  const token = signAddress(parts.sealer, { site_id, video_id, source_id: _id, sees_hidden, expires })
  return `${playerUrl}/media/${token}`
}

/** The master playlist, for players that have no credential. */
export const masterAddress = (playback: Playback, seen: Seen, source: Source): string =>
  `${mediaAddress(playback, seen, source)}/master.m3u8`

/** Where a player learns how far a video is. The address opens no media, so that no address of a segment renews itself. */
export function statusAddress(
  { parts, playerUrl }: Playback,
  { site_id, sees_hidden }: Seen,
  video_id: string,
) {
  const expires = expiryFrom(Date.now())
  const token = signAddress(parts.sealer, { site_id, video_id, source_id: '', sees_hidden, expires })
  return `${playerUrl}/playback/${token}/status`
}
