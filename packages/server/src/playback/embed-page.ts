import { createHash } from 'node:crypto'
import { type Html, html, pageStart } from '../lib/html.js'
import type { AdBreak } from './ad-schedule.js'
import { firstView, firstViewStyle, loaderElement, loaderSource } from './first-view.js'
import type { Playback } from './playback.js'
import type { PlayerParameters } from './player-parameters.js'

/** A part of a film, in seconds. */
export interface VideoChapter {
  readonly start: number
  readonly end?: number
  readonly title: string
}

/** The attributes of the player element, named as in its script. */
export interface PlayerOptions extends Omit<PlayerParameters, 'audio' | 'color'> {
  readonly videoId: string
  readonly title: string
  readonly src: string | undefined
  /** An MP4 or WebM, for browsers that cannot play HLS. */
  readonly file?: string | undefined
  readonly poster: string | undefined
  readonly storyboard?: string | undefined
  readonly chapters?: readonly VideoChapter[] | undefined
  /** Files for the transcript. */
  readonly subtitles?: readonly { file: string; label: string; language: string }[] | undefined
  /** Whether the transcript is shown from the start. */
  readonly transcript?: boolean
  /** The address of the share page. */
  readonly shareUrl?: string
  /** Whether keys work on the whole page. */
  readonly pageKeys?: boolean
  /** Whether there is only sound. */
  readonly audio?: boolean
  readonly statusUrl: string
  /** Where the player reports what was watched. */
  readonly beacon?: string | undefined
  /** When the player tells the page that an ad break is due. */
  readonly ads?: readonly AdBreak[] | undefined
  /** Ads are shown every so many plays, counted per video or overall. */
  readonly adsEvery?: number | undefined
  readonly adsScope?: string | undefined
  /** The accent colour of the player. */
  readonly accent?: string
  /** A picture in the corner of the player. */
  readonly logo?: string
  /** For example 16/9. */
  readonly aspectRatio?: string
}

const style = `html,body{margin:0;height:100%;background:#000;color:#fff;
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
zoetrope-player{width:100%;height:100vh;aspect-ratio:auto}
${firstViewStyle}
main{box-sizing:border-box;display:flex;min-height:100%;padding:1rem;background:#131318;text-align:center}
main div{max-width:30em;margin:auto}
h1{margin:0;font-size:1.375rem;line-height:1.25}
p{margin:.5rem 0 0;color:#d4d4da}
main.locked{position:relative}
main.locked img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;filter:brightness(.3)}
main.locked div{position:relative}
main a{display:inline-block;margin-top:1rem;padding:.6rem 1.5rem;border-radius:1.5rem;background:#fff;color:#17171c;font-weight:600;text-decoration:none}
main a:focus-visible{outline:3px solid #4aa3ff;outline-offset:2px}`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** The player element, with what is shown until its script has loaded. */
export function playerElement(options: PlayerOptions): Html {
  const { videoId, title, src, file, poster, storyboard, statusUrl, beacon, aspectRatio, start } = options
  const { chapters, subtitles, ads, adsEvery, adsScope, accent, logo, shareUrl } = options
  const { autoplay, muted, loop, controls, audio, transcript, pageKeys } = options
  const optional = Object.entries({
    src,
    file,
    poster,
    storyboard,
    chapters: chapters && JSON.stringify(chapters),
    subtitles: subtitles && JSON.stringify(subtitles),
    'share-url': shareUrl,
    beacon,
    ads: ads && JSON.stringify(ads),
    'ads-every': adsEvery,
    'ads-scope': adsScope,
    'aspect-ratio': aspectRatio,
    accent,
    logo,
    start,
  })
  const flags = Object.entries({
    autoplay,
    muted,
    loop,
    audio,
    transcript,
    'page-keys': pageKeys,
    'no-controls': controls === false,
  })
  return html`<zoetrope-player video-id="${videoId}" title="${title}" status-url="${statusUrl}"${optional.map(
    ([name, value]) => value !== undefined && html` ${name}="${value}"`,
  )}${flags.map(([name, isSet]) => isSet && html` ${name}`)}>${firstView(options)}</zoetrope-player>`
}

/** The player alone, filling its frame. */
export const playerPage = (playerUrl: string, options: PlayerOptions): string =>
  page(
    options.title,
    html`${playerElement(options)}
<noscript><main><div><h1>This video needs JavaScript</h1><p>Please allow it for this page.</p></div></main></noscript>`,
    loaderElement(playerUrl),
  )

const titles: Readonly<Record<number, string>> = {
  401: 'You cannot watch this video here',
  403: 'You cannot watch this video',
  404: 'This video is not available',
  422: 'This address cannot be read',
  503: 'Not possible for the moment',
}

const titlesByCode: Readonly<Record<string, string>> = {
  wrong_site: 'This video cannot be shown here',
  wrong_country: 'This video is not available in your country',
  country_unknown: 'This video is for certain countries',
  wrong_place: 'This video is not available where you are',
  place_unknown: 'This video is for certain places',
  wrong_device: 'This video is not available on this device',
  wrong_time: 'This video is not available now',
  not_shown: 'This video is not available',
  registration_required: 'This video is for members',
  subscription_required: 'This video is for subscribers',
  pass_required: 'This video needs a pass',
  purchase_required: 'This video is for sale',
  rental_required: 'This video is for rent',
  redemption_code_required: 'This video needs a code',
  playback_token_expired: 'This link has expired',
  playback_token_invalid: 'This link does not work',
}

export const refusalTitle = (status: number, code: string): string =>
  titlesByCode[code] ?? titles[status] ?? 'Something went wrong'

/** The poster of a video that a viewer could get access to, and the page on which to get it. */
export interface WayIn {
  readonly poster: string | undefined
  readonly shareUrl: string
}

/** Explains to a viewer why there is no video. The page with a way in opens by itself: other sites may not frame it. */
export function refusalPage(status: number, code: string, message: string, way?: WayIn): string {
  const title = refusalTitle(status, code)
  const poster = way?.poster && html`<img src="${way.poster}" alt="">`
  const link = way && html`<a href="${way.shareUrl}" target="_blank" rel="noopener">How to watch</a>`
  return page(
    title,
    html`<main${way && html` class="locked"`}>${poster}<div><div role="alert"><h1>${title}</h1><p>${message}</p></div>${link}</div></main>`,
  )
}

function page(title: string, body: Html, script = ''): string {
  const heading = html`${pageStart}<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
`
  const rest = html`</head>
<body>
${body}
`
  return `${heading.html}<style>${style}</style>\n${rest.html}${script}</body>\n</html>\n`
}

/**
 * The player needs inline styles in its shadow root, blob: media, and pictures from any address. Videos hosted elsewhere may
 * load their parts from any address.
 */
export function pagePolicy(
  { playerUrl, mediaUrls }: Pick<Playback, 'playerUrl' | 'mediaUrls'>,
  framing: string | undefined,
  leadsOut: boolean,
  formTarget = "'none'",
): string {
  const ours = `'self' ${new URL(playerUrl).origin}`
  const origins = [...new Set(mediaUrls.map((url) => new URL(url).origin))].join(' ')
  const media = leadsOut ? `'self' ${origins} https: http:` : `'self' ${origins}`
  return [
    "default-src 'none'",
    `script-src ${ours} ${loaderSource(playerUrl)}`,
    "style-src 'unsafe-inline'",
    `connect-src ${media}`,
    // hls.js creates caption tracks with an empty data: address.
    `media-src ${media} blob: data:`,
    'img-src https: http: data: blob:',
    "base-uri 'none'",
    `form-action ${formTarget}`,
    ...(framing ? [framing] : []),
  ].join('; ')
}

export const refusalPolicy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
