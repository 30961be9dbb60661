import { clock } from '../lib/clock.js'
import { type Html, html, pageStart } from '../lib/html.js'
import type { Size } from '../media/ladder.js'
import { type PlayerOptions, playerElement } from './embed-page.js'
import { firstViewStyle, loaderElement } from './first-view.js'
import { type EmbeddedVideo, oembedUrl, pageUrl, shareUrl } from './snippets.js'
import type { thumbnailOf } from './thumbnails.js'
import { formStyle, type ShownViewer, viewerLine } from './viewer-forms.js'

export interface Shared {
  readonly named: EmbeddedVideo
  readonly player: PlayerOptions
  readonly channel: string
  readonly description: string
  readonly publishedAt: string
  /** Seconds. */
  readonly duration: number | undefined
  readonly shape: Size
  readonly poster: ReturnType<typeof thumbnailOf>
  /** Whether sites that preview links may show the player too. */
  readonly framable: boolean
  /** Who is signed in on the share pages of the channel. */
  readonly viewer: ShownViewer | undefined
}

const style = `:root{color-scheme:light dark;--ground:#f6f6f8;--text:#17171c;--soft:#5b5b66;--line:#e2e2e8}
@media (prefers-color-scheme:dark){:root{--ground:#131318;--text:#f1f1f4;--soft:#a9a9b4;--line:#2c2c35}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main{max-width:var(--widest,64rem);margin:0 auto;padding:0 1.25rem}
header{padding-top:1rem;padding-bottom:1rem;font-weight:600;overflow-wrap:anywhere}
.stage{display:flex;justify-content:center;background:#000;border-radius:.75rem;overflow:hidden}
.stage zoetrope-player{width:min(100%,calc(80vh*var(--shape)))}
.stage zoetrope-player:not(:defined){aspect-ratio:var(--shape)}
.stage zoetrope-player[data-transcript=beside]{width:min(100%,calc(80vh*var(--shape)/.68))}
h1{margin:1.25rem 0 0;font-size:clamp(1.25rem,1rem + 1.6vw,1.75rem);line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
.facts{margin:.35rem 0 0;color:var(--soft);font-size:.9375rem}
.about{margin:1.25rem 0 3rem;padding-top:1.25rem;border-top:1px solid var(--line);max-width:46rem;white-space:pre-line;overflow-wrap:anywhere}
.needs{margin:1rem 0 0;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
${firstViewStyle}
@media (max-width:40rem){main{padding:0}header{padding:.75rem 1rem}.stage{border-radius:0}
main>:not(.stage){margin-left:1rem;margin-right:1rem}}`

/** A page to share: the player, a description, and metadata for link previews. */
export function sharePage(shared: Shared): string {
  const { named, player, channel, description, publishedAt, duration, shape, viewer } = shared
  const head = html`${pageStart}<meta name="referrer" content="${viewer ? 'same-origin' : 'no-referrer'}">
<link rel="icon" href="data:,">
<title>${named.title}${channel && ` – ${channel}`}</title>
${description && html`<meta name="description" content="${shortened(description)}">\n`}${tags(shared)}
`
  const body = html`</head>
<body${player.subtitles && html` style="--widest:84rem"`}>
<header>${channel}</header>
<main>
<div class="stage" style="--shape:${shape.width / shape.height}">${playerElement({
    ...player,
    aspectRatio: `${shape.width}/${shape.height}`,
    shareUrl: shareUrl({ ...named, parameters: {} }),
    pageKeys: true,
    transcript: true,
  })}</div>
<noscript><p class="needs">To play this video, allow JavaScript for this page.</p></noscript>
<h1>${named.title}</h1>
<p class="facts"><time datetime="${publishedAt}">${dayOf(publishedAt)}</time>${duration !== undefined && html` · ${clock(duration)}`}</p>
${viewer && viewerLine(viewer)}
${description && html`<div class="about">${description}</div>`}
</main>
`
  const script = loaderElement(named.playerUrl)
  return `${head.html}<style>${style}${viewer ? `\n${formStyle}` : ''}</style>\n${linkedData(shared)}\n${body.html}${script}\n</body>\n</html>\n`
}

/** Metadata for link previews: Open Graph, Twitter cards, oEmbed. */
function tags({ named, player, channel, description, shape, poster, framable, duration }: Shared): Html {
  const { title } = named
  const text = shortened(description)
  const address = shareUrl({ ...named, parameters: {} })
  const properties: [string, string | number | null | undefined][] = [
    ['og:type', 'video.other'],
    ['og:title', title],
    ['og:description', text],
    ['og:url', address],
    ['og:site_name', channel],
    ['og:image', poster?.url],
    ['og:image:width', poster?.width],
    ['og:image:height', poster?.height],
    ['video:duration', duration],
    ...(framable ? [...framed(named, shape), ...film(player, shape)] : []),
  ]
  const names: [string, string | number | undefined][] = [
    ['twitter:card', framable ? 'player' : 'summary_large_image'],
    ['twitter:title', title],
    ['twitter:description', text],
    ['twitter:image', poster?.url],
    ...(framable
      ? ([
          ['twitter:player', pageUrl(named)],
          ['twitter:player:width', shape.width],
          ['twitter:player:height', shape.height],
        ] as const)
      : []),
  ].map(([name, value]) => [String(name), value])
  return html`<link rel="canonical" href="${address}">
${(['json', 'xml'] as const).map(
  (format) =>
    html`<link rel="alternate" type="${format === 'json' ? 'application/json' : 'text/xml'}+oembed" href="${oembedUrl(named, format)}" title="${title}">\n`,
)}${given(properties).map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}${given(
  names,
).map(([name, value]) => html`<meta name="${name}" content="${value}">\n`)}`
}

function framed(named: EmbeddedVideo, { width, height }: Size): [string, string | number][] {
  const page = pageUrl(named)
  return [
    ['og:video', page],
    ['og:video:url', page],
    ...(page.startsWith('https:') ? ([['og:video:secure_url', page]] as [string, string][]) : []),
    ['og:video:type', 'text/html'],
    ['og:video:width', width],
    ['og:video:height', height],
  ]
}

/** The film itself, for clients that show no pages: a file if there is one, else its playlist. */
function film({ src, file }: PlayerOptions, { width, height }: Size): [string, string | number][] {
  const address = file ?? src
  if (!address) return []
  return [
    ['og:video', address],
    ['og:video:type', file ? fileTypeOf(file) : 'application/vnd.apple.mpegurl'],
    ['og:video:width', width],
    ['og:video:height', height],
  ]
}

const fileTypeOf = (file: string) => (new URL(file).pathname.endsWith('.webm') ? 'video/webm' : 'video/mp4')

/** Metadata for search engines and crawlers: schema.org's VideoObject. */
function linkedData(shared: Shared): string {
  const { named, player, description, publishedAt, duration, poster, framable } = shared
  const data = {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: named.title,
    description: description || named.title,
    thumbnailUrl: poster && [poster.url],
    uploadDate: publishedAt,
    duration: duration === undefined ? undefined : `PT${duration}S`,
    url: shareUrl({ ...named, parameters: {} }),
    // If only some sites may embed the film, its address is not published.
    ...(framable ? { embedUrl: pageUrl(named), contentUrl: player.src ?? player.file } : {}),
  }
  // Only the sequence that could end the script element is escaped.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

const given = (pairs: readonly [string, string | number | null | undefined][]) =>
  pairs.flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, value] as const],
  )

const mostShown = 300
const shortened = (text: string) =>
  text.length > mostShown ? `${text.slice(0, mostShown).replace(/\s+\S*$/, '')}…` : text

const dayOf = (moment: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment))
