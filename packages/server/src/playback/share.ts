import type { FastifyInstance, FastifyRequest } from 'fastify'
import { surroundingsOf, usualPort } from '../edge/origin.js'
import { type PlayerRequest, requestedVideo } from './caller.js'
import { mayShare } from './embed-domains.js'
import { pagePolicy } from './embed-page.js'
import { sendLocked } from './locked.js'
import { refuseWithPage, sendPage } from './page-answers.js'
import { addReading, countRequest, inPath, type Playback, uncached } from './playback.js'
import { playerOptions } from './player-options.js'
import { parametersOf } from './player-parameters.js'
import { sharePage } from './share-page.js'
import { idInSlug, sharePath } from './snippets.js'
import { thumbnailOf } from './thumbnails.js'
import { largestSize } from './videos.js'
import { viewerIn } from './viewer-cookie.js'
import { addViewerSignIn } from './viewer-sign-in.js'
import { visitorOf } from './visitor.js'

/** The share page of a video. */
export function addShare(app: FastifyInstance, playback: Playback): void {
  const { playerUrl, parts } = playback
  const requestedBy = (request: FastifyRequest) => {
    // The player is on our own page, whatever page linked to it.
    const { hostname: host, port, protocol } = new URL(playerUrl)
    const from = { ...surroundingsOf(request), host, port: port || usualPort(protocol) }
    return requestedVideo(playback, request, idInSlug(inPath(request, 'id')), mayShare, from, visitorOf)
  }
  addReading(
    app,
    '/watch/:id',
    async (request, reply) => {
      let requested: PlayerRequest
      try {
        requested = await requestedBy(request)
      } catch (error) {
        return sendLocked(playback, request, reply, idInSlug(inPath(request, 'id')), error)
      }
      countRequest(playback, request, requested)
      const { record, channel } = requested.video
      const viewer = await viewerIn(parts, request, requested.seen.site_id)
      const address = { playerUrl, videoId: record._id, slug: record.friendly_title }
      const page = sharePage({
        named: { ...address, title: record.title, key: await requested.playerKey() },
        viewer: viewer && { email: viewer.email, action: `${sharePath(address)}/sign-out` },
        player: await playerOptions(playback, requested, parametersOf(request)),
        channel: channel.title,
        description: record.description || record.short_description || '',
        publishedAt: record.published_at,
        duration: record.duration ?? undefined,
        shape: largestSize(requested.video),
        poster: thumbnailOf(record),
        framable: requested.framing === undefined,
      })
      return sendPage(
        reply.headers(uncached),
        page,
        pagePolicy(playback, requested.framing, requested.video.leadsOut, viewer && "'self'"),
        viewer && 'same-origin',
      )
    },
    refuseWithPage,
  )
  app.register(async (scope) => addViewerSignIn(scope, playback, requestedBy))
}
