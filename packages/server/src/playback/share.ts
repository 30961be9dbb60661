import type { FastifyInstance } from 'fastify'
import { surroundingsOf, usualPort } from '../http/origin.js'
import { type PlayerRequest, requestedVideo } from './caller.js'
import { mayShare } from './embed-domains.js'
import { pagePolicy } from './embed-page.js'
import { sendLocked } from './locked.js'
import { refuseWithPage, sendPage } from './page-answers.js'
import { addReading, countRequest, inPath, type Playback, uncached } from './playback.js'
import { playerOptions } from './player-options.js'
import { parametersOf } from './player-parameters.js'
import { sharePage } from './share-page.js'
import { idInSlug } from './snippets.js'
import { largestSize, thumbnailOf } from './videos.js'
import { visitorOf } from './visitor.js'

/** The share page of a video. */
export function addShare(app: FastifyInstance, playback: Playback): void {
  const { playerUrl } = playback
  addReading(
    app,
    '/watch/:id',
    async (request, reply) => {
      // The player is on our own page, whatever page linked to it.
      const { hostname: host, port, protocol } = new URL(playerUrl)
      const from = { ...surroundingsOf(request), host, port: port || usualPort(protocol) }
      const videoId = idInSlug(inPath(request, 'id'))
      let requested: PlayerRequest
      try {
        requested = await requestedVideo(playback, request, videoId, mayShare, from, visitorOf)
      } catch (error) {
        return sendLocked(playback, request, reply, videoId, error)
      }
      countRequest(playback, request, requested)
      const { record, channel } = requested.video
      const page = sharePage({
        named: {
          playerUrl,
          videoId: record._id,
          title: record.title,
          slug: record.friendly_title,
          key: await requested.playerKey(),
        },
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
        pagePolicy(playerUrl, requested.framing, requested.video.leadsOut),
      )
    },
    refuseWithPage,
  )
}
