import type { FastifyRequest } from 'fastify'
import { hasCredential } from '../api/credential.js'
import { channelInAddress } from '../api/dashboard-session.js'
import { newestKey } from '../auth/keys.js'
import type { Credential, Principal } from '../auth/principals.js'
import { notFound } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'
import { callerOf } from './caller.js'
import { inPath, type Playback } from './playback.js'
import { idInSlug } from './snippets.js'
import { viewerIn } from './viewer-cookie.js'

interface Visitor {
  readonly principal: Principal
  readonly credential: Credential
}

/**
 * Who opens a share page. Without a credential, the player key of the video's channel is used, with the entitlements of the
 * consumer who signed in on a share page of this channel.
 */
export async function visitorOf(playback: Playback, request: FastifyRequest): Promise<Visitor> {
  if (hasCredential(request, channelInAddress)) return callerOf(playback, request)
  const { principal: player, credential } = await playerOf(playback.parts, idInSlug(inPath(request, 'id')))
  const viewer = await viewerIn(playback.parts, request, player.siteId)
  const principal = viewer
    ? { ...player, consumerId: viewer.consumer_id, sessionId: viewer.session_id }
    : player
  request.caller = principal
  return { principal, credential }
}

/**
 * The player key of the channel that published this video. A hidden video and a missing one are refused
 * alike, so ids cannot be probed.
 */
export async function playerOf(parts: Parts, videoId: string): Promise<Visitor> {
  const { database, sealer, principals, freshness } = parts
  for (let round = 0; round < 2 && freshness.due(); round += 1) await freshness.settle()
  const found = isId(videoId) ? await channelsOf(parts, videoId) : []
  const [channel] = found
  const key =
    found.length === 1 && channel && (await newestKey(database.db, sealer, channel.site_id, 'player'))
  const credential = { parameter: 'api_key', value: key || '' } as const
  const principal = key ? await principals.find(credential) : undefined
  if (!principal) throw notFound('video')
  return { principal, credential }
}

/** More than one only if rows were copied by hand; then the owner is unknown. */
const channelsOf = ({ database: { db } }: Parts, videoId: string) =>
  db<{ site_id: string }[]>`
    select site_id from videos where _id = ${videoId} and active and deleted_at is null limit 2
  `
