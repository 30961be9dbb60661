import type { FastifyInstance, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import type { Size } from '../media/ladder.js'
import { playbackTokenIn, requestedVideo } from './caller.js'
import { mayShare } from './embed-domains.js'
import { addReading, inPath, type Playback, sendData, uncached } from './playback.js'
import { parametersOf } from './player-parameters.js'
import { snippetsOf } from './snippets.js'
import { largestSize } from './videos.js'

const usualWidth = 640
const widest = 4096

/** The snippets that embed the video in a page. */
export function addPlayerSnippets(app: FastifyInstance, playback: Playback): void {
  addReading(app, '/videos/:id/player', async (request, reply) => {
    // Embedding a video does not require permission to watch it.
    const requested = await requestedVideo(playback, request, inPath(request, 'id'), mayShare, undefined)
    const { video, playerKey } = requested
    const { _id: videoId, title, friendly_title: slug } = video.record
    const { playerUrl } = playback
    const key = await playerKey()
    const playbackToken = playbackTokenIn(request)
    const named = { playerUrl, videoId, title, slug, key, playbackToken, parameters: parametersOf(request) }
    const response = snippetsOf(named, atWidth(largestSize(video), widthIn(request)))
    return sendData(request, reply.headers(uncached), { response })
  })
}

function widthIn(request: FastifyRequest): number {
  const width = Number(queryOf(request).width)
  return Number.isInteger(width) && width > 0 && width <= widest ? width : usualWidth
}

const atWidth = (shape: Size, width: number): Size => ({
  width,
  height: Math.max(1, Math.round((width * shape.height) / shape.width)),
})
