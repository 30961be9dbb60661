import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../api/brackets.js'
import { formatOf, type mediaTypes } from '../api/format.js'
import { ApiError, invalidParameter, notFound, unauthorized, unavailable } from '../errors.js'
import { grantOfToken } from '../films/address-grant.js'
import { type Html, html } from '../lib/html.js'
import { isId } from '../lib/object-id.js'
import { whileAlive } from '../lib/while-alive.js'
import type { Size } from '../media/ladder.js'
import type { Parts } from '../resources/feature.js'
import { checkPlayerScope } from './caller.js'
import { addReading, type Playback, uncached } from './playback.js'
import { type PlayerCaller, playerKeyFor, tokenHolder } from './player-key.js'
import { fitted, fixedFrame, idInSlug } from './snippets.js'
import { thumbnailsOf } from './thumbnails.js'
import { findVideo, largestSize } from './videos.js'
import { playerOf } from './visitor.js'

/** oEmbed (https://oembed.com) for our own addresses. */
export function addOembed(app: FastifyInstance, playback: Playback): void {
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    const format = formatIn(request)
    const reading = describe(playback, request)
    const facts = await whileAlive(playback.parts.database, reading, () => unavailable(undefined))
    const hasToken = String(queryOf(request).url).includes('playback_token=')
    reply.headers(hasToken ? uncached : { 'cache-control': 'public, max-age=300' })
    return format === 'json'
      ? reply.send(facts)
      : reply.type('text/xml; charset=utf-8').send(inXml(facts).html)
  }
  addReading(app, '/oembed', read, undefined, oembedParameters)
}

const isRoom = [(value: string) => Number(value) >= 1, 'a number of pixels'] as const
const oembedParameters = { url: undefined, format: undefined, maxwidth: isRoom, maxheight: isRoom }

/** The standard names 501 for other formats, but what a caller sends is no fault of the server. */
function formatIn(request: FastifyRequest): keyof typeof mediaTypes {
  const { format: given } = queryOf(request)
  const format = given === undefined || given === '' ? formatOf(request) : String(given).toLowerCase()
  if (format === 'json' || format === 'xml') return format
  throw invalidParameter('format', 'must be json or xml')
}

type OembedFacts = Readonly<Record<string, string | number>>

async function describe(playback: Playback, request: FastifyRequest): Promise<OembedFacts> {
  const { parts, playerUrl } = playback
  const place = placeIn(String(queryOf(request).url ?? ''), playerUrl)
  const { videoId, playbackToken } = place
  const { principal, credential, token } = await callerIn(parts, place, request.ip)
  if (token?.audience === 'video' && token.subject !== videoId) throw notFound('video')
  const grant = token ? grantOfToken(token) : ''
  const viewer = { site_id: principal.siteId, sees_hidden: false, consumer_id: '', grant }
  // The caller is a server, not a viewer.
  const watching = { geo: request.geo, surroundings: undefined }
  const video = await findVideo(parts, viewer, watching, videoId).catch(asPrivate)
  const { title, duration } = video.record
  const key = await playerKeyFor(parts, principal, credential)
  const named = { playerUrl, videoId, title, key, playbackToken }
  const room = roomIn(request)
  const size = fitted(largestSize(video), room)
  const picture = thumbnailsOf(video.record).find(({ width, height }) => fits({ width, height }, room))
  return {
    ...{ version: '1.0', type: 'video', title, author_name: video.channel.title },
    ...{ provider_name: 'Zoetrope', provider_url: playerUrl, cache_age: 300 },
    ...(picture
      ? { thumbnail_url: picture.url, thumbnail_width: picture.width, thumbnail_height: picture.height }
      : {}),
    html: fixedFrame(named, size),
    ...size,
    ...(duration ? { duration } : {}),
  }
}

/** oEmbed has one status for everything that is not public. */
function asPrivate(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 403) throw error
  throw new ApiError(401, error.message, { code: error.code })
}

/** The video and the key in one of our addresses. */
interface EmbedTarget {
  readonly videoId: string
  readonly key: string
  readonly playbackToken: string | undefined
  /** Share pages need no key. */
  readonly isShared: boolean
}

async function callerIn(
  parts: Parts,
  { videoId, key, isShared, playbackToken }: EmbedTarget,
  address: string,
): Promise<PlayerCaller> {
  if (playbackToken !== undefined) return tokenHolder(parts, playbackToken)
  if (key === '' && isShared) return playerOf(parts, videoId)
  const credential = { parameter: 'api_key', value: key, address } as const
  const principal = key === '' ? undefined : await parts.principals.find(credential)
  if (!principal) throw unauthorized()
  checkPlayerScope(principal)
  return { principal, credential }
}

function placeIn(address: string, playerUrl: string): EmbedTarget {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const base = new URL(playerUrl)
  const path = url?.origin === base.origin ? url.pathname.replace(base.pathname.replace(/\/$/, ''), '') : ''
  const [, page, named = ''] = /^\/(watch|embed)\/([^/]+?)(?:\.(?:html|js|json))?\/?$/.exec(path) ?? []
  const videoId = page === 'watch' ? idInSlug(named) : named
  if (!url || !isId(videoId)) throw notFound('video')
  const key = url.searchParams.get('api_key') ?? url.searchParams.get('player_key') ?? ''
  const playbackToken = url.searchParams.get('playback_token') || undefined
  return { videoId, key, playbackToken, isShared: page === 'watch' }
}

function roomIn(request: FastifyRequest): Partial<Size> {
  const { maxwidth, maxheight } = queryOf(request)
  const [width, height] = [maxwidth, maxheight].map(Number)
  return { ...(width && width >= 1 ? { width } : {}), ...(height && height >= 1 ? { height } : {}) }
}

const fits = (size: Size, { width = size.width, height = size.height }: Partial<Size>) =>
  size.width <= width && size.height <= height

const inXml = (facts: OembedFacts): Html =>
  html`<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<oembed>${Object.entries(facts).map(([name, value]) => html`<${name}>${value}</${name}>`)}</oembed>
`
