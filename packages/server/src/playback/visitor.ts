import type { FastifyRequest } from 'fastify'
import { hasCredential } from '../api/credential.js'
import { channelInAddress } from '../api/dashboard-session.js'
import { notFound } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'
import { callerOf, playbackTokenIn } from './caller.js'
import { inPath, type Playback } from './playback.js'
import { anyPlayer, type PlayerCaller } from './player-key.js'
import { idInSlug } from './snippets.js'
import { viewerIn } from './viewer-cookie.js'

/**
 * Who opens a share page. Without a credential, the player key of the video's channel is used, with the entitlements of the
 * consumer who signed in on a share page of this channel.
 */
export async function visitorOf(playback: Playback, request: FastifyRequest): Promise<PlayerCaller> {
  if (playbackTokenIn(request) !== undefined || hasCredential(request, channelInAddress))
    return callerOf(playback, request)
  const { principal: player, credential } = await playerOf(playback.parts, idInSlug(inPath(request, 'id')))
  const viewer = await viewerIn(playback.parts, request, player.siteId)
  const principal = viewer
    ? { ...player, consumerId: viewer.consumer_id, sessionId: viewer.session_id }
    : player
  request.caller = principal
  return { principal, credential }
}

/**
 * The player key of the channel that published this video. A hidden video, one whose film failed, and a
 * missing one are refused alike, so ids cannot be probed.
 */
export async function playerOf(parts: Parts, videoId: string): Promise<PlayerCaller> {
  const { freshness } = parts
  for (let round = 0; round < 2 && freshness.due(); round += 1) await freshness.settle()
  const found = isId(videoId) ? await channelsOf(parts, videoId) : []
  const [channel] = found
  const player = found.length === 1 && channel && (await anyPlayer(parts, channel.site_id))
  if (!player) throw notFound('video')
  return player
}

/** More than one only if rows were copied by hand; then the owner is unknown. */
const channelsOf = ({ database: { db } }: Parts, videoId: string) =>
  db<{ site_id: string }[]>`
    select site_id from videos
    where _id = ${videoId} and active and deleted_at is null and status <> 'failed' limit 2
  `
