import type { FastifyInstance } from 'fastify'
import { forbidden, unavailable } from '../errors.js'
import { whileAlive } from '../http/while-alive.js'
import { claimsOf, watchingBy } from './caller.js'
import { outputsOf, playableIn } from './files.js'
import { storyboardOf } from './pictures.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { findVideo, posterOf, type Seen, type Video } from './videos.js'

/** Where a player that cannot play yet, or no longer, learns how its video is. */
export function addStatus(app: FastifyInstance, playback: Playback): void {
  const { parts } = playback
  addReading(app, '/playback/:token/status', async (request, reply) => {
    const claims = claimsOf(parts, inPath(request, 'token'))
    if (claims.source_id !== '') throw forbidden('This address does not tell the status of a video.')
    const found = findVideo(parts, claims, watchingBy(request, claims), claims.video_id)
    const video = await whileAlive(parts.database.db, found, () => unavailable(undefined))
    const storyboard = await storyboardOf(playback, video.source)
    return reply
      .headers(uncached)
      .send({ ...statusOf(playback, claims, video), ...(storyboard ? { storyboard } : {}) })
  })
}

function statusOf(playback: Playback, claims: Seen, video: Video) {
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
    // A player takes `ready`, and a moment, as its sign to begin.
    status: status === 'ready' ? 'processing' : status,
    // What keeps a video waiting is the publisher's business; why it will not come is the viewer's too.
    status_reason: status === 'failed' ? (status_reason ?? null) : null,
    playable_at: null,
    progress: progressOf(record),
    ...poster,
  }
}

/** Per cent, over all that is being made; null before anything is. */
function progressOf({ renditions }: Video['record']): number | null {
  const made = (renditions ?? []).map(({ progress }) => progress ?? 0)
  return made.length === 0 ? null : Math.round(made.reduce((sum, each) => sum + each, 0) / made.length)
}
