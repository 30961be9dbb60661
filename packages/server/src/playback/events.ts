import { aboutCaller, catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { credentialOf, identify } from '../api/credential.js'
import { channelInAddress } from '../api/dashboard-session.js'
import { notAllowed } from '../auth/access.js'
import type { Credential, Principal } from '../auth/principals.js'
import { type ApiError, forbidden, notFound, unavailable } from '../errors.js'
import { isId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import { belongs } from '../resources/store.js'
import { checkStreamLimits, streamHeaders } from './event-limits.js'
import { createEventStreams, mayFollow } from './event-streams.js'
import { addReading, inPath, type Playback } from './playback.js'
import { readNews, type VideoNews } from './video-news.js'

/** Server-sent events about a video that is being prepared. */
export function addEvents(app: FastifyInstance, { parts }: Playback): void {
  const { database, principals } = parts
  const streams = createEventStreams(parts)
  app.addHook('preClose', async () => streams.close())

  addReading(app, '/videos/:id/events', async (request, reply) => {
    const video_id = inPath(request, 'id')
    const credential = credentialOf(request, undefined, channelInAddress)
    const reading = ask(request, credential, video_id)
    const { site_id, news } = await whileAlive(database, reading, () => unavailable(undefined))
    // A browser that reconnects after the end has everything; 204 makes it stop.
    if (news.hasEnded && request.headers['last-event-id'] === news.id) return reply.status(204).send()
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
    checkStreamLimits(streams, site_id)
    return reply.headers(streamHeaders).send(streams.watch({ site_id, video_id }, news, credential))
  })

  async function ask(
    request: FastifyRequest,
    credential: Credential,
    video_id: string,
  ): Promise<{ site_id: string; news: VideoNews }> {
    const principal = await identify(principals, credential)
    request.caller = principal
    const site_id = principal.siteId
    if (!isId(video_id)) throw notFound('video')
    if (!mayFollow(principal)) throw await refusal(principal, video_id)
    const news = await readNews(parts, { site_id, video_id })
    if (!news) throw notFound('video')
    return { site_id, news }
  }

  async function refusal(principal: Principal, video_id: string): Promise<ApiError> {
    const { kind, siteId } = principal
    const isOurs = await belongs(database.db, catalog.videos, { site_id: siteId }, video_id)
    if (!isOurs) return notFound('video')
    if (kind === 'named') return notAllowed(principal, catalog.videos, 'get')
    return forbidden(`This credential may not watch videos become ready. ${aboutCaller(kind)}`)
  }
}
