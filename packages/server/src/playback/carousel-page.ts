import { createHash } from 'node:crypto'
import { clock } from '../lib/clock.js'
import { type Html, html, pageStart } from '../lib/html.js'
import { allowedInFrames, type EmbeddedVideo, pageUrl } from './snippets.js'

/** A video in the row. */
export interface Card {
  readonly videoId: string
  readonly title: string
  readonly poster: string | undefined
  /** Seconds. */
  readonly duration: number | undefined
}

export interface Carousel {
  readonly playerUrl: string
  readonly key: string
  readonly playbackToken: string | undefined
  readonly title: string
  readonly cards: readonly Card[]
}

const style = `*{box-sizing:border-box}
html,body{margin:0;height:100%;background:#131318;color:#f1f1f4;
font:.875rem/1.35 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{display:flex;flex-direction:column}
iframe{flex:1;min-height:8rem;width:100%;border:0;background:#000}
h1{margin:0;padding:.6rem .75rem 0;font-size:.9375rem;overflow-wrap:anywhere}
ul{display:flex;gap:.75rem;margin:0;padding:.6rem .75rem .75rem;overflow-x:auto;list-style:none;scroll-snap-type:x proximity}
li{flex:0 0 auto;width:clamp(7.5rem,22vw,11rem);scroll-snap-align:start}
a{display:block;color:inherit;text-decoration:none;border-radius:.375rem}
a:focus-visible{outline:3px solid #8ab4ff;outline-offset:2px}
.picture{position:relative;display:block;aspect-ratio:16/9;background:#2c2c35;border-radius:.375rem;overflow:hidden}
img{display:block;width:100%;height:100%;object-fit:cover}
a:hover .picture{box-shadow:0 0 0 2px #f1f1f4}
.length{position:absolute;right:.3rem;bottom:.3rem;padding:0 .3rem;border-radius:.2rem;background:#000c;font-size:.75rem}
.title{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;margin-top:.35rem;overflow-wrap:anywhere}
p{margin:auto;padding:1rem;color:#d4d4da}`

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Works without a script: the row consists of links that open in the frame above it. */
export function carouselPage(carousel: Carousel): string {
  const { title, cards } = carousel
  const head = html`${pageStart}<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
`
  const [first] = cards
  const stage = first
    ? html`<iframe name="stage" src="${address(carousel, first, {})}" title="Player" allow="${allowedInFrames}" referrerpolicy="origin" allowfullscreen></iframe>`
    : html`<p>There is nothing to watch here yet.</p>`
  const body = html`</head>
<body>
${stage}
<h1>${title}</h1>
<ul aria-label="${title}">
${cards.map((card) => cardOf(carousel, card))}</ul>
</body>
</html>
`
  return `${head.html}<style>${style}</style>\n${body.html}`
}

const address = (
  { playerUrl, key, playbackToken }: Carousel,
  { videoId, title }: Card,
  parameters: EmbeddedVideo['parameters'],
): string => pageUrl({ playerUrl, key, playbackToken, videoId, title, ...(parameters ? { parameters } : {}) })

/** The site list admits frames on our own page, so the browser must send a referrer. */
const cardOf = (carousel: Carousel, card: Card): Html =>
  html`<li><a href="${address(carousel, card, { autoplay: true })}" target="stage" referrerpolicy="origin"><span class="picture">${
    card.poster && html`<img src="${card.poster}" alt="" loading="lazy">`
  }${card.duration !== undefined && html`<span class="length">${clock(card.duration)}</span>`}</span><span class="title">${card.title}</span></a></li>
`

/** Only our own player may be framed. Pictures may come from any address the publisher uses. */
export const carouselPolicy = (playerUrl: string, framing: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `frame-src 'self' ${new URL(playerUrl).origin}`,
    'img-src https: http: data:',
    "base-uri 'none'",
    "form-action 'none'",
    ...(framing ? [framing] : []),
  ].join('; ')
