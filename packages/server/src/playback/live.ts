import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { ApiError } from '../errors.js'
import { requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { addReading, countRequest, inPath, type Playback, sendData, uncached } from './playback.js'

/** The playlist of a live event, under both paths that apps use. */
export function addLive(app: FastifyInstance, playback: Playback): void {
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const requested = await requestedVideo(
      playback,
      request,
      inPath(request, 'id'),
      mayEmbed,
      surroundingsOf(request),
    )
    const { record, elsewhere } = requested.video
    if (!record.live_event) throw new ApiError(404, 'This video is not a live event.')
    const playlist = elsewhere.find(({ type }) => type === 'hls')
    if (!playlist) throw new ApiError(404, noStream)
    countRequest(playback, request, requested)
    return sendData(request, reply.headers(uncached), {
      response: { _id: record._id, url: playlist.url },
    })
  }
  addReading(app, '/manifest/live/:id', read)
  addReading(app, '/live/manifest/:id', read)
}

const noStream =
  'This live event has no stream. Streams cannot be sent here; give it the address of its playlist with POST /videos/{id}/self_hosted.'
