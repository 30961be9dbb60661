import type { FastifyInstance, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { forbidden, unavailable } from '../errors.js'
import { isOfToken } from '../films/address-grant.js'
import { whileAlive } from '../lib/while-alive.js'
import { claimsOf, clientFactsOf, watchingBy } from './caller.js'
import { outputsOf, playableIn } from './files.js'
import { storyboardOf } from './pictures.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { posterOf } from './thumbnails.js'
import { type AddressScope, findVideo, type PlayableVideo, type Watching } from './videos.js'

/** Where a player that cannot play, or can no longer play, polls the status of its video. */
export function addStatus(app: FastifyInstance, playback: Playback): void {
  const { parts } = playback
  addReading(app, '/playback/:token/status', async (request, reply) => {
    const claims = claimsOf(parts, inPath(request, 'token'))
    if (claims.source_id !== '') throw forbidden('This address does not tell the status of a video.')
    const watching = watchedByPlayer(request, watchingBy(request, claims))
    const found = findVideo(parts, claims, watching, claims.video_id)
    const video = await whileAlive(parts.database, found, () => unavailable(undefined))
    // With a playback token, no address outlives it.
    const until = isOfToken(claims.grant) ? { until: claims.expires } : {}
    const seen = {
      ...claims,
      ...until,
      client_facts: video.isRuled ? clientFactsOf(watching.surroundings) : '',
    }
    const storyboard = await storyboardOf(playback, video.source)
    return reply
      .headers(uncached)
      .send({ ...playerStatus(playback, seen, video), ...(storyboard ? { storyboard } : {}) })
  })
}

/** The player itself sends this request, so its device can fill in what the address lacks. */
function watchedByPlayer(request: FastifyRequest, { geo, surroundings }: Watching): Watching {
  if (!surroundings || surroundings.device !== undefined) return { geo, surroundings }
  const { device } = surroundingsOf(request)
  return { geo, surroundings: { ...surroundings, device, app_id: '' } }
}

function playerStatus(playback: Playback, claims: AddressScope, video: PlayableVideo) {
  const { record, channel } = video
  const { status, status_reason, playable_at = null } = record
  const picture = posterOf(record)
  const poster = picture === undefined ? {} : { poster: picture }
  const outputs = outputsOf(playback, { ...claims, encrypted: channel.hls_encryption }, video)
  if (outputs.length > 0)
    return {
      status: 'ready',
      status_reason: null,
      playable_at,
      progress: 100,
      ...playableIn(outputs),
      ...poster,
    }
  return {
    // A player starts when it sees `ready` and `playable_at`.
    status: status === 'ready' ? 'processing' : status,
    // Why a video waits concerns the publisher only; why it failed concerns the viewer too.
    status_reason: status === 'failed' ? (status_reason ?? null) : null,
    playable_at: null,
    progress: progressOf(record),
    ...poster,
  }
}

/** Per cent of everything being made; null before it starts. */
function progressOf({ renditions }: PlayableVideo['record']): number | null {
  const made = (renditions ?? []).map(({ progress }) => progress ?? 0)
  return made.length === 0 ? null : Math.round(made.reduce((sum, each) => sum + each, 0) / made.length)
}
