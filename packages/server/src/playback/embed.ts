import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { violation } from '../db/violation.js'
import { ApiError } from '../errors.js'
import { queryOf } from '../http/brackets.js'
import { masterAddress, statusAddress } from './addresses.js'
import { askedVideo } from './caller.js'
import { mayEmbed } from './embed-domains.js'
import { type PlayerOptions, pagePolicy, playerPage, refusalPage, refusalPolicy } from './embed-page.js'
import { storyboardOf } from './pictures.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { subtitleFiles } from './subtitles.js'
import { posterOf, type Seen, type Video } from './videos.js'

const suffix = /\.(html|js)$/

/** A video in a player: as data for apps, as a page for frames, as a script for pages. */
export function addEmbed(app: FastifyInstance, playback: Playback): void {
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const named = inPath(request, 'id')
    const { seen, video, framing } = await askedVideo(playback, request, named.replace(suffix, ''), mayEmbed)
    reply.headers({ ...uncached, 'referrer-policy': 'no-referrer' })
    const storyboard = await storyboardOf(playback, video.source)
    const form = suffix.exec(named)?.[1]
    if (form === undefined) {
      const subtitles = await subtitleFiles(playback, seen, video.source)
      return reply.send(playerJson(playback, seen, video, { storyboard, subtitles }))
    }
    const options = { ...playerOptions(playback, seen, video), storyboard, ...wishes(request) }
    return form === 'html'
      ? sendPage(reply, playerPage(playback.playerUrl, options), pagePolicy(playback.playerUrl, framing))
      : reply.type('text/javascript; charset=utf-8').send(snippet(playback.playerUrl, options))
  }
  addReading(app, '/embed/:id', read, refuse)
}

const sendPage = (reply: FastifyReply, page: string, policy: string): FastifyReply =>
  reply
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(page)

/** Whoever looks at a frame is told in words why it is empty; all others are answered as everywhere. */
function refuse(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!inPath(request, 'id').endsWith('.html')) throw error
  const known = error instanceof ApiError ? error : fault(error)
  if (known.status >= 500) request.log.error({ err: error, request_id: request.id }, error.message)
  const { status, message, headers } = known
  reply.status(status).headers({ ...headers, 'cache-control': 'no-store' })
  return sendPage(reply, refusalPage(status, message), refusalPolicy)
}

const fault = (cause: Error) =>
  violation(cause)
    ? new ApiError(503, 'Please try again in a minute.', { headers: { 'Retry-After': '1' } })
    : new ApiError(500, 'The fault is on our side. Please try again later.')

const told = [
  ...['_id', 'title', 'friendly_title', 'description', 'short_description', 'duration', 'precise_duration'],
  ...['status', 'published_at', 'episode', 'season', 'country', 'language', 'mature_content', 'on_air'],
  ...['thumbnails', 'images', 'keywords', 'custom_attributes', 'segments'],
] as const

/** The player's JSON, as apps read it. */
function playerJson(
  playback: Playback,
  seen: Seen,
  { record, source }: Video,
  { storyboard, subtitles }: { storyboard: string | undefined; subtitles: readonly object[] },
) {
  const outputs = source ? [{ name: 'm3u8', url: masterAddress(playback, seen, source) }] : []
  const poster = posterOf(record)
  return {
    response: {
      video: Object.fromEntries(told.map((field) => [field, record[field] ?? null])),
      body: {
        outputs,
        files: outputs,
        subtitles,
        advertising: {},
        analytics: {},
        on_air: record.on_air ?? false,
        ...(poster ? { poster } : {}),
        ...(storyboard ? { storyboard } : {}),
        status_url: statusAddress(playback, seen, record._id),
      },
      provider: { name: 'zoetrope' },
      player: { name: 'zoetrope' },
    },
  }
}

/** The options of the player on a page. */
const playerOptions = (playback: Playback, seen: Seen, { record, source }: Video): PlayerOptions => ({
  videoId: record._id,
  title: record.title,
  src: source && masterAddress(playback, seen, source),
  poster: posterOf(record),
  statusUrl: statusAddress(playback, seen, record._id),
})

/** What the address asks of the player. */
function wishes(request: FastifyRequest): Partial<PlayerOptions> {
  const query = queryOf(request)
  const isAsked = (name: string) => ['true', '1', ''].includes(String(query[name] ?? 'false')) || undefined
  const start = Number(query.start)
  return {
    autoplay: isAsked('autoplay'),
    muted: isAsked('muted'),
    loop: isAsked('loop'),
    ...(query.start !== undefined && start >= 0 && start < 1e6 ? { start } : {}),
  }
}

/** Fills the elements of a page that stand for the video, and loads the player if the page has not. */
function snippet(playerUrl: string, options: PlayerOptions): string {
  const [embed, script] = [options, `${playerUrl}/zoetrope-player.js`].map(inScript)
  return `(function () {
  var src = ${script}
  var embeds = (window.zoetropeEmbeds = window.zoetropeEmbeds || [])
  embeds.push(${embed})
  if (document.querySelector('script[src="' + src + '"]')) return
  var script = document.createElement('script')
  script.src = src
  script.async = true
  document.head.appendChild(script)
})()
`
}

/** JSON that ends no script element and no line. */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
