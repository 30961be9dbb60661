import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { surroundingsOf } from '../edge/origin.js'
import { ApiError } from '../errors.js'
import { advertisingOf } from './ad-schedule.js'
import { beaconAddress, statusAddress } from './addresses.js'
import { type PlayerRequest, requestedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { pagePolicy, playerPage } from './embed-page.js'
import { embedScript } from './embed-script.js'
import { outputsOf } from './files.js'
import { wayIn } from './locked.js'
import { refuseWithPage, sendPage } from './page-answers.js'
import { storyboardOf } from './pictures.js'
import { addReading, countRequest, inPath, type Playback, sendData, uncached } from './playback.js'
import { lookOf, playerOptions } from './player-options.js'
import { type PlayerParameters, parametersOf, playerParameters } from './player-parameters.js'
import { shareUrl } from './snippets.js'
import { subtitleFiles } from './subtitles.js'
import { posterOf } from './thumbnails.js'
import type { PlayerRecord } from './videos.js'

/** Existing clients use both suffixes for pages. */
const suffix = /\.(html|iframe|js)$/

/** A video in a player: as data for apps, as a page for frames, as a script for pages. */
export function addEmbed(app: FastifyInstance, playback: Playback): void {
  const { playerUrl } = playback
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const named = inPath(request, 'id')
    const requested = await requestedVideo(
      playback,
      request,
      named.replace(suffix, ''),
      mayEmbed,
      surroundingsOf(request),
    )
    countRequest(playback, request, requested)
    reply.headers({ ...uncached, 'referrer-policy': 'no-referrer' })
    const parameters = parametersOf(request)
    const form = suffix.exec(named)?.[1]
    if (form === undefined) return sendData(request, reply, await playerData(playback, requested, parameters))
    const options = await playerOptions(playback, requested, parameters)
    return form !== 'js'
      ? sendPage(
          reply,
          playerPage(playerUrl, { ...options, ...ofItsOwn(playerUrl, requested.video.record) }),
          pagePolicy(playback, requested.framing, requested.video.leadsOut),
        )
      : sendScript(reply, playerUrl, options)
  }
  const refuse = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const named = inPath(request, 'id')
    const videoId = named.replace(suffix, '')
    if (/\.(html|iframe)$/.test(named))
      return refuseWithPage(error, request, reply, await wayIn(playback, request, videoId, error))
    const refused = named.endsWith('.js') && isScriptOfPage(request) && refusalOptions(error)
    // Other errors go to the common error handler.
    if (!refused) throw error
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const way = await wayIn(playback, request, videoId, error)
    return sendScript(reply, playerUrl, { videoId, ...refused, ...way })
  }
  addReading(app, '/embed/:id', read, refuse, playerParameters)
}

/** What a player may do on a page that is only about its video. */
const ofItsOwn = (playerUrl: string, { _id: videoId, friendly_title: slug }: PlayerRecord) => ({
  shareUrl: shareUrl({ playerUrl, videoId, slug }),
  pageKeys: true,
})

/**
 * Browsers do not run a script that arrives with an error status; the player's place would stay empty without
 * explanation.
 */
const isScriptOfPage = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] === 'script'

const problems: Readonly<Record<number, string>> = { 401: 'not_allowed', 403: 'not_allowed', 404: 'removed' }

/** What the player shows instead of a video. */
function refusalOptions(error: Error) {
  const problem = error instanceof ApiError ? problems[error.status] : undefined
  return error instanceof ApiError && problem
    ? { problem, message: error.message, reason: error.code }
    : undefined
}

const shownFields = [
  ...['_id', 'title', 'friendly_title', 'description', 'short_description', 'duration', 'precise_duration'],
  ...['status', 'published_at', 'episode', 'season', 'country', 'language', 'mature_content', 'on_air'],
  ...['thumbnails', 'images', 'keywords', 'custom_attributes', 'segments'],
] as const

/** The player's data for apps. */
async function playerData(playback: Playback, requested: PlayerRequest, parameters: PlayerParameters) {
  const { seen, video, isCounted } = requested
  const { record, source } = video
  const outputs = outputsOf(playback, seen, video, parameters.audio)
  const storyboard = await storyboardOf(playback, source)
  const subtitles = await subtitleFiles(playback, seen, video)
  const poster = posterOf(record)
  return {
    response: {
      video: Object.fromEntries(shownFields.map((field) => [field, record[field] ?? null])),
      body: {
        outputs,
        files: outputs,
        subtitles,
        advertising: (await advertisingOf(playback, requested)) ?? {},
        analytics: isCounted ? analyticsOf(playback, seen, record._id) : {},
        on_air: record.on_air ?? false,
        ...(poster ? { poster } : {}),
        ...(storyboard ? { storyboard } : {}),
        status_url: statusAddress(playback, seen, record._id),
      },
      provider: { name: 'zoetrope' },
      player: { name: 'zoetrope', ...lookAsData(lookOf(video.channel, parameters)) },
    },
  }
}

const lookAsData = ({ accent, logo, ...said }: ReturnType<typeof lookOf>) => ({
  color: accent ?? null,
  logo_url: logo ?? null,
  autoplay: false,
  muted: false,
  loop: false,
  controls: true,
  ...said,
})

/** Where apps report what was watched. */
const analyticsOf = (playback: Playback, seen: PlayerRequest['seen'], video_id: string) => ({
  beacon: beaconAddress(playback, seen, video_id),
  dimensions: { video_id, site_id: seen.site_id },
})

const sendScript = (reply: FastifyReply, ...embedded: Parameters<typeof embedScript>): FastifyReply =>
  reply.type('text/javascript; charset=utf-8').send(embedScript(...embedded))
