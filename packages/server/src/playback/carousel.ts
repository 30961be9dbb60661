import { catalog } from '@zoetrope/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { suffixOf } from '../api/format.js'
import { originOf, usualPort } from '../edge/origin.js'
import { ApiError, notFound, unavailable } from '../errors.js'
import { listPlaylistVideos } from '../features/playlists/videos.js'
import { isId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Call } from '../resources/feature.js'
import { callerOf, domainsFor, playbackTokenIn, wrongSite } from './caller.js'
import { type Carousel, carouselPage, carouselPolicy } from './carousel-page.js'
import { frameAncestors, mayEmbed } from './embed-domains.js'
import { refuseWithPage, sendPage } from './page-answers.js'
import { addReading, inPath, type Playback, uncached } from './playback.js'
import { playerKeyFor } from './player-key.js'
import { allowedInFrames, inScript } from './snippets.js'
import { posterOf } from './thumbnails.js'
import type { PlayerRecord } from './videos.js'

const path = '/playlists/:id/carousel'
/** Nobody scrolls further through a row. */
const mostShown = '50'

/**
 * The videos of a playlist as a row under a player: as a page for frames, and as a script that creates the
 * frame.
 */
export function addCarousel(app: FastifyInstance, playback: Playback): void {
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (suffixOf(request)) throw noRecord()
    const { carousel, framing } = await requestedCarousel(playback, request)
    return sendPage(
      reply.headers(uncached),
      carouselPage(carousel),
      carouselPolicy(playback.playerUrl, framing),
    )
  }
  const refuse = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    // Clients that requested JSON or XML get the error in that format.
    if (suffixOf(request)) throw error
    return refuseWithPage(error, request, reply)
  }
  addReading(app, path, page, refuse, {})
  addReading(app, `${path}.html`, page, refuseWithPage, {})
  addReading(app, `${path}.iframe`, page, refuseWithPage, {})
  const script = async (request: FastifyRequest, reply: FastifyReply) => {
    const { carousel } = await requestedCarousel(playback, request)
    reply.headers({ ...uncached, 'referrer-policy': 'no-referrer' })
    return reply.type('text/javascript; charset=utf-8').send(frameMaker(inPath(request, 'id'), carousel))
  }
  addReading(app, `${path}.js`, script, undefined, {})
}

const noRecord = () =>
  new ApiError(
    404,
    'A carousel is a page or a script: ask for carousel.html or carousel.js. GET /playlists/{id}/videos has the records.',
  )

interface CarouselRequest {
  readonly carousel: Carousel
  /** The `frame-ancestors` directive of the page. */
  readonly framing: string | undefined
}

function requestedCarousel(playback: Playback, request: FastifyRequest): Promise<CarouselRequest> {
  const { parts, playerUrl } = playback
  const ask = async () => {
    const { principal, credential } = await callerOf(playback, request)
    const id = inPath(request, 'id')
    // Apply switches that are due.
    for (let round = 0; round < 2 && parts.freshness.due(); round += 1) await parts.freshness.settle()
    const site_id = principal.siteId
    const call = {
      ...originOf(request),
      parts,
      resource: catalog.playlists,
      principal,
      scope: { site_id },
      id,
      notice: () => undefined,
    }
    const videos = await videosIn(call, playerUrl)
    const [playlist] = await parts.database.db<{ title: string; embed_domains: readonly string[] }[]>`
      select playlists.title, embed_domains from playlists join channels on channels._id = playlists.site_id
      where playlists.site_id = ${site_id} and playlists._id = ${id}
    `
    if (!playlist) throw notFound(catalog.playlists.name)
    const domains = domainsFor(principal, playlist)
    const ours = new URL(playerUrl).origin
    if (!mayEmbed(domains, request.headers, ours)) throw wrongSite()
    const cards = videos.map((video) => ({
      videoId: video._id,
      title: video.title,
      poster: posterOf(video),
      duration: video.duration ?? undefined,
    }))
    const key = await playerKeyFor(parts, principal, credential)
    return {
      carousel: { playerUrl, key, playbackToken: playbackTokenIn(request), title: playlist.title, cards },
      framing: frameAncestors(domains, ours),
    }
  }
  return whileAlive(parts.database, ask(), () => unavailable(undefined))
}

/** The videos of the playlist that can be watched here and now. The player is on one of our own pages. */
async function videosIn(
  call: Omit<Call, 'query' | 'body'>,
  playerUrl: string,
): Promise<readonly PlayerRecord[]> {
  if (!isId(call.id)) throw notFound(catalog.playlists.name)
  const { hostname: host, port, protocol } = new URL(playerUrl)
  const surroundings = () => ({ ...call.surroundings(), host, port: port || usualPort(protocol) })
  const query = { status: 'ready', dpt: 'true', per_page: mostShown }
  const answer = await listPlaylistVideos({ ...call, surroundings, query, body: {} })
  return (JSON.parse(answer?.json.toString() ?? '') as { response: PlayerRecord[] }).response
}

/** Inserts the frame into the elements that mark the playlist, or next to the script. */
function frameMaker(id: string, { playerUrl, key, playbackToken, title }: Carousel): string {
  const query = new URLSearchParams({ api_key: key })
  if (playbackToken !== undefined) query.set('playback_token', playbackToken)
  const page = `${playerUrl}/playlists/${id}/carousel.html?${query}`
  const [src, named, allowed] = [page, title, allowedInFrames].map(inScript)
  return `(function () {
  var here = document.currentScript
  var places = document.querySelectorAll('#zype_${id}, [data-zoetrope-playlist="${id}"]')
  function frame() {
    var made = document.createElement('iframe')
    made.src = ${src}
    made.title = ${named}
    made.allow = ${allowed}
    made.allowFullscreen = true
    made.referrerPolicy = 'strict-origin-when-cross-origin'
    made.style.cssText = 'display:block;width:100%;aspect-ratio:4/3;min-height:20rem;border:0'
    return made
  }
  for (var i = 0; i < places.length; i++) places[i].replaceChildren(frame())
  if (places.length === 0 && here && here.parentNode) here.parentNode.insertBefore(frame(), here)
})()
`
}
