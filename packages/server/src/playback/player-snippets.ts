import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import type { Size } from '../media/ladder.js'
import { playbackTokenIn, requestedVideo } from './caller.js'
import { mayShare } from './embed-domains.js'
import { addReading, inPath, type Playback, sendData, uncached } from './playback.js'
import { parametersOf, playerParameters } from './player-parameters.js'
import { snippetsOf } from './snippets.js'
import { largestSize } from './videos.js'

const usualWidth = 640
const widest = 4096

/** The snippets that embed the video in a page. */
export function addPlayerSnippets(app: FastifyInstance, playback: Playback): void {
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
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
  }
  addReading(app, '/videos/:id/player', read, undefined, { ...playerParameters, width: isWidth })
}

const fitsWidth = (width: number) => Number.isInteger(width) && width > 0 && width <= widest
const isWidth = [(value: string) => fitsWidth(Number(value)), `a whole number from 1 to ${widest}`] as const

function widthIn(request: FastifyRequest): number {
  const width = Number(queryOf(request).width)
  return fitsWidth(width) ? width : usualWidth
}

const atWidth = (shape: Size, width: number): Size => ({
  width,
  height: Math.max(1, Math.round((width * shape.height) / shape.width)),
})
