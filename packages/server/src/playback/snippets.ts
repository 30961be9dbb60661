import { html } from '../lib/html.js'
import type { Size } from '../media/ladder.js'
import { type PlayerParameters, parametersInAddress } from './player-parameters.js'

/** A video as addresses and snippets refer to it. The key is the player key, which is public anyway. */
export interface EmbeddedVideo {
  readonly playerUrl: string
  readonly videoId: string
  readonly title: string
  readonly key: string
  /** A playback token, for requests that have one. */
  readonly playbackToken?: string | undefined
  /** Its title in share addresses, for people. */
  readonly slug?: string | undefined
  readonly parameters?: PlayerParameters
}

const longestSlug = 80
const id = '[0-9a-f]{24}'

/** The id in the last part of a share address: alone, or after the video's title. */
export const idInSlug = (text: string): string => new RegExp(`(?:^|-)(${id})$`).exec(text)?.[1] ?? ''

/** What stands before the id in the last part of a share address. */
export const titleInSlug = (text: string): string => new RegExp(`^(.+)-${id}$`).exec(text)?.[1] ?? ''

function addressOf(path: string, { playerUrl, key, playbackToken, parameters = {} }: EmbeddedVideo): string {
  const query = new URLSearchParams([['api_key', key], ...parametersInAddress(parameters)])
  if (playbackToken !== undefined) query.set('playback_token', playbackToken)
  return `${playerUrl}${path}?${query}`
}

export const pageUrl = (named: EmbeddedVideo): string => addressOf(`/embed/${named.videoId}.html`, named)

/** Without a key, because people share it and see it in the address bar. Only the id in it counts. */
export function shareUrl({
  playerUrl,
  videoId,
  slug = '',
  playbackToken,
  parameters = {},
}: Omit<EmbeddedVideo, 'key' | 'title'>): string {
  const query = new URLSearchParams(parametersInAddress(parameters) as [string, string][])
  if (playbackToken !== undefined) query.set('playback_token', playbackToken)
  const name = slug === '' || slug.length > longestSlug ? videoId : `${encodeURIComponent(slug)}-${videoId}`
  return `${playerUrl}/watch/${name}${query.size > 0 ? `?${query}` : ''}`
}

/** Path and query of the share page, for forms and redirects that stay on the host that the viewer sees. */
export function sharePath(named: Parameters<typeof shareUrl>[0]): string {
  const { pathname, search } = new URL(shareUrl(named))
  return `${pathname}${search}`
}

/** Where other sites request the embed code of a share page. */
export const oembedUrl = (named: EmbeddedVideo, format: 'json' | 'xml' = 'json'): string =>
  `${named.playerUrl}/oembed?${new URLSearchParams({ url: shareUrl({ ...named, parameters: {} }), format })}`

/** Makes the frame send a referrer even if the page does not, because the site list needs it. */
const referrer = 'strict-origin-when-cross-origin'
/**
 * Full screen uses its own attribute, which older browsers also support; browsers warn if it is given twice.
 */
export const allowedInFrames = 'autoplay; picture-in-picture; encrypted-media'

/** A frame of fixed size. */
export const fixedFrame = (named: EmbeddedVideo, { width, height }: Size): string =>
  html`<iframe src="${pageUrl(named)}" title="${named.title}" width="${width}" height="${height}" style="border:0" allow="${allowedInFrames}" referrerpolicy="${referrer}" allowfullscreen></iframe>`
    .html

/** A frame as wide as the available space, up to its width, in the shape of the video. */
const wideFrame = (named: EmbeddedVideo, { width, height }: Size): string =>
  html`<iframe src="${pageUrl(named)}" title="${named.title}" style="display:block;width:100%;max-width:${width}px;aspect-ratio:${width}/${height};border:0" allow="${allowedInFrames}" referrerpolicy="${referrer}" loading="lazy" allowfullscreen></iframe>`
    .html

const scriptTag = (named: EmbeddedVideo): string =>
  html`<div data-zoetrope-video="${named.videoId}"></div>
<script async src="${addressOf(`/embed/${named.videoId}.js`, named)}" referrerpolicy="${referrer}"></script>`
    .html

function element(named: EmbeddedVideo): string {
  const parameters = parametersInAddress(named.parameters ?? {})
  const { playbackToken } = named
  const [mark, credential] = playbackToken ? ['token', playbackToken] : ['key', named.key]
  return html`<div data-zoetrope-video="${named.videoId}" data-zoetrope-${mark}="${credential}"${parameters.map(
    ([name, value]) => html` data-${name}="${value}"`,
  )}></div>
<script async src="${named.playerUrl}/zoetrope-player.js"></script>`.html
}

/** All snippets a publisher can paste into a page. */
export const snippetsOf = (named: EmbeddedVideo, size: Size) => ({
  iframe: wideFrame(named, size),
  script: scriptTag(named),
  element: element(named),
  page_url: pageUrl(named),
  share_url: shareUrl(named),
  oembed_url: oembedUrl(named),
  manifest_url: addressOf(`/manifest/${named.videoId}.m3u8`, { ...named, parameters: {} }),
  ...size,
})

/** JSON that cannot end a script element or a line. */
export const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The largest size within the limits, in the shape of the video. */
export function fitted({ width, height }: Size, within: Partial<Size>): Size {
  const scale = Math.min(1, (within.width ?? width) / width, (within.height ?? height) / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
