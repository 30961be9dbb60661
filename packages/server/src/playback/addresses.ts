import { type FilmClaims, sealFilm } from '../films/film-address.js'
import { expiryFrom, signAddress } from '../films/signed-address.js'
import type { Source } from '../media-segments/source-plan.js'
import type { Playback } from './playback.js'
import type { AddressScope } from './videos.js'

/** The base address of everything this token opens. */
export const mediaPlace = ({ playerUrl }: Playback, token: string): string => `${playerUrl}/media/${token}`

/**
 * The base address of a track for all who may watch. Only what a cache may keep is below it, so it is at the address of the
 * CDN, if there is one.
 */
export const filmPlace = ({ parts: { mediaUrl, sealer } }: Playback, claims: FilmClaims): string =>
  `${mediaUrl}/films/${claims.source_id}/${claims.track}/${sealFilm(sealer, claims)}`

const expiryOf = ({ until = Number.POSITIVE_INFINITY }: AddressScope) =>
  Math.min(until, expiryFrom(Date.now()))

/** The base address of a source's playlists and segments, for a viewer who may watch it now. */
export function mediaAddress(playback: Playback, seen: AddressScope, source: Source): string {
  const { site_id, video_id, _id } = source
  const { sees_hidden, consumer_id, client_facts, grant, encrypted } = seen
  const expires = expiryOf(seen)
  const claims = {
    site_id,
    video_id,
    source_id: _id,
    sees_hidden,
    consumer_id,
    client_facts,
    grant,
    encrypted,
    expires,
  }
  return mediaPlace(playback, signAddress(playback.parts.sealer, claims))
}

/** The master playlist for players without a credential; audio only if requested and available. */
export const masterAddress = (
  playback: Playback,
  seen: AddressScope,
  source: Source,
  audio = false,
): string => `${mediaAddress(playback, seen, source)}/${audio && source.plan.audio ? 'sound' : 'master'}.m3u8`

/** Where a player reports how much was watched. */
export const beaconAddress = (playback: Playback, seen: AddressScope, video_id: string): string =>
  `${placeOf(playback, seen, video_id)}/plays`

/**
 * Where a player polls the status of a video. This address opens no media, so a segment's address cannot
 * renew itself.
 */
export const statusAddress = (playback: Playback, seen: AddressScope, video_id: string): string =>
  `${placeOf(playback, seen, video_id)}/status`

function placeOf({ parts, playerUrl }: Playback, seen: AddressScope, video_id: string): string {
  const expires = expiryOf(seen)
  const token = signAddress(parts.sealer, { ...seen, video_id, source_id: '', expires })
  return `${playerUrl}/playback/${token}`
}
