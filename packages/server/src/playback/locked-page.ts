import { html, pageStart } from '../lib/html.js'
import { refusalTitle } from './embed-page.js'
import type { LockedOffer } from './locked-offers.js'
import {
  formColors,
  formStyle,
  hashOfStyle,
  type ShownViewer,
  type SignInForm,
  signInForm,
  type ViewerProblem,
  viewerLine,
} from './viewer-forms.js'

export interface LockedLink {
  readonly label: string
  readonly href: string
}

interface Locked {
  readonly title: string
  readonly channel: string
  /** Why it cannot be watched: for programs, and for people. */
  readonly code: string
  readonly reason: string
  readonly poster: string | undefined
  readonly address: string
  readonly links: readonly LockedLink[]
  /** What gives access, with prices. */
  readonly offers: readonly LockedOffer[]
  /** What to ask the channel, if no link leads to it. */
  readonly ask: string | undefined
  /** Where the channel's viewers find help. */
  readonly help: string | undefined
  readonly signIn: SignInForm | undefined
  readonly signedIn: ShownViewer | undefined
  readonly problem: ViewerProblem | undefined
}

const style = `:root{color-scheme:light dark;--ground:#f6f6f8;--text:#17171c;--soft:#5b5b66;--button:#17171c;--label:#fff;--line:#d9d9e0;${formColors.light}}
@media (prefers-color-scheme:dark){:root{--ground:#131318;--text:#f1f1f4;--soft:#a9a9b4;--button:#f1f1f4;--label:#131318;--line:#34343e;${formColors.dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main{max-width:44rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1rem;padding-bottom:1rem;font-weight:600;overflow-wrap:anywhere}
.stage{position:relative;aspect-ratio:16/9;border-radius:.75rem;overflow:hidden;background:#1c1c22;display:grid;place-items:center}
.stage img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;filter:brightness(.55)}
.stage svg{position:relative;width:4rem;height:4rem;padding:1rem;border-radius:50%;background:rgb(10 10 14/.68);fill:#fff}
h1{margin:1.25rem 0 0;font-size:clamp(1.25rem,1rem + 1.6vw,1.75rem);line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
h2{margin:1rem 0 0;font-size:1.125rem;line-height:1.3}
p{margin:.25rem 0 0;color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:.75rem}
nav a{min-height:2.75rem;padding:.6rem 1.5rem;border:2px solid var(--button);border-radius:1.5rem;font-weight:600;line-height:1.4;text-decoration:none;color:var(--text)}
nav a:first-child{background:var(--button);color:var(--label)}
a:focus-visible{outline:3px solid #4aa3ff;outline-offset:2px}
p a,form a{color:inherit}
.ways{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr));gap:1.5rem;margin:1.5rem 0 3rem}
.ways section{padding:1rem 1.25rem 1.25rem;border:1px solid var(--line);border-radius:.75rem}
.ways h2{margin:0}
ul{margin:.5rem 0 0;padding:0;list-style:none}
li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
li b{overflow-wrap:anywhere}
.ways nav{margin:1.25rem 0 0}
.ways section>p{margin:.75rem 0 0}
${formStyle}
@media (max-width:40rem){main{padding:0}header{padding:.75rem 1rem}.stage{border-radius:0}main>:not(.stage){margin-left:1rem;margin-right:1rem}}`

export const lockedPolicy = [
  "default-src 'none'",
  `style-src ${hashOfStyle(style)}`,
  'img-src https: http: data:',
  "base-uri 'none'",
  "form-action 'self'",
  // The page takes passwords, so no other site may put it into a frame.
  "frame-ancestors 'self'",
].join('; ')

/** A video that this viewer may not watch, the reason, and what can be done about it. */
export function lockedPage(locked: Locked): string {
  const { title, channel, code, reason, poster, address } = locked
  const { signIn, signedIn, problem } = locked
  const head = html`${pageStart}<meta name="referrer" content="same-origin">
<link rel="icon" href="data:,">
<link rel="canonical" href="${address}">
<title>${problem && 'Error: '}${title}${channel && ` – ${channel}`}</title>
<meta property="og:title" content="${title}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${channel}">
${poster && html`<meta property="og:image" content="${poster}">\n`}`
  const body = html`</head>
<body>
<header>${channel}</header>
<main>
<div class="stage">${poster && html`<img src="${poster}" alt="">`}<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 10V7a5 5 0 0 1 10 0v3h1a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zm2 0h6V7a3 3 0 0 0-6 0z"/></svg></div>
<h1>${title}</h1>
<div${!problem && html` role="alert"`}><h2>${refusalTitle(403, code)}</h2><p>${reason}</p></div>
${signedIn && viewerLine(signedIn)}
<div class="ways">
${
  signIn &&
  html`<section aria-labelledby="sign-in"><h2 id="sign-in">Sign in</h2>
${signInForm(signIn, problem)}</section>`
}
${waysSection(locked)}
</div>
</main>
</body>
</html>
`
  return `${head.html}<style>${style}</style>\n${body.html}`
}

/** What gives access: prices, whom to ask, and links. */
function waysSection({ channel, links, offers, ask, help }: Locked) {
  if (offers.length === 0 && links.length === 0 && !ask) return undefined
  const helper = help
    ? html`<a href="${help}">${channel}</a>`
    : channel || 'the person who sent you this link'
  return html`<section aria-labelledby="ways"><h2 id="ways">How to watch</h2>
${offers.length > 0 && html`<ul>${offers.map(({ name, price }) => html`<li><b>${name}</b> <span>${price}</span></li>`)}</ul>`}
${ask && html`<p>Ask ${helper} ${ask}.</p>`}
${links.length > 0 && html`<nav aria-label="How to watch">${links.map(({ label, href }) => html`<a href="${href}">${label}</a>`)}</nav>`}</section>`
}
