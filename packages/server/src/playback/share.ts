import type { FastifyInstance } from 'fastify'
import { surroundingsOf, usualPort } from '../http/origin.js'
import { requestedVideo } from './caller.js'
import { mayShare } from './embed-domains.js'
import { pagePolicy } from './embed-page.js'
import { refuseWithPage, sendPage } from './page-answers.js'
import { addReading, countRequest, inPath, type Playback, uncached } from './playback.js'
import { playerOptions } from './player-options.js'
import { parametersOf } from './player-parameters.js'
import { sharePage } from './share-page.js'
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
      const asked = await requestedVideo(playback, request, inPath(request, 'id'), mayShare, from, visitorOf)
      countRequest(playback, request, asked)
      const { record, channel } = asked.video
      const page = sharePage({
        named: { playerUrl, videoId: record._id, title: record.title, key: await asked.playerKey() },
        player: await playerOptions(playback, asked, parametersOf(request)),
        channel: channel.title,
        description: record.description || record.short_description || '',
        publishedAt: record.published_at,
        duration: record.duration ?? undefined,
        shape: largestSize(asked.video),
        poster: thumbnailOf(record),
        framable: asked.framing === undefined,
      })
      return sendPage(
        reply.headers(uncached),
        page,
        pagePolicy(playerUrl, asked.framing, asked.video.leadsOut),
      )
    },
    refuseWithPage,
  )
}
