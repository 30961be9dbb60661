import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Html, html, pageStart } from '../lib/html.js'
import type { PageInProgress } from './fields.js'
import { inline, markdown } from './markdown.js'
import { type Chapter, type Model, modelOf, type Topic } from './model.js'
import type { OpenApi } from './openapi/document.js'
import { operation } from './operation.js'

/** The pages of the reference, as finished HTML, and the policy that they are sent with. */
export interface ReferencePages {
  readonly policy: string
  front(): string
  /** Undefined if there is no topic of that name. */
  topic(slug: string): string | undefined
}

/** From the sources and from what is compiled it is the same way. */
const assets = new URL('../../assets/reference/', import.meta.url)

export async function openReference(document: OpenApi): Promise<ReferencePages> {
  const [style = '', ...scripts] = await Promise.all(
    ['page.css', 'page.js', 'console-form.js', 'console.js'].map((name) =>
      readFile(new URL(name, assets), 'utf8'),
    ),
  )
  const frame = { style, script: scripts.join('') }
  const model = modelOf(document)
  const topics = model.chapters.flatMap((chapter) => chapter.topics)
  return {
    policy: contentPolicy(frame),
    front: () => layout(frame, model, undefined, frontBody(model)),
    topic(slug) {
      const found = topics.find((topic) => topic.slug === slug)
      return found && layout(frame, model, found, topicBody(model, found))
    },
  }
}

interface Frame {
  readonly style: string
  readonly script: string
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%232855c5'/%3E%3Ccircle cx='16' cy='16' r='10' fill='none' stroke='%23fff' stroke-width='2'/%3E%3Cpath d='M13.5 11.5v9l7-4.500z' fill='%23fff'/%3E%3C/svg%3E"

/** Style and script stand in the page itself, so that its first text needs one answer and nothing else. */
function layout({ style, script }: Frame, model: Model, topic: Topic | undefined, body: Html): string {
  const head = html`${pageStart}<meta name="color-scheme" content="light dark">
<title>${topic && `${topic.name} · `}${model.title} reference</title>
<link rel="icon" href="${icon}">
`
  const page = html`</head>
<body data-server="${model.server}">
<a class="skip" href="#main">Skip to the text</a>
<header class="bar"><a class="brand" href="/docs"><img src="${icon}" alt="" width="24" height="24"> ${model.title}</a><a class="open" href="#menu">Menu</a></header>
<main id="main" tabindex="-1">
${body}
</main>
${navigation(model, topic)}
`
  const end = `<script>${script}</script>\n</body>\n</html>\n`
  return `${head.html}<style>${style}</style>\n${page.html}${end}`
}

function navigation({ title, version, chapters }: Model, current: Topic | undefined): Html {
  return html`<nav id="menu" aria-label="Operations">
<p class="home"><a class="brand" href="/docs"><img src="${icon}" alt="" width="28" height="28"> ${title}</a> <span class="type">${version}</span></p>
<a class="close" href="#main">Close</a>
<p class="search" hidden><input type="search" placeholder="Search" aria-label="Search operations" autocomplete="off" spellcheck="false"></p>
<p class="none" hidden>Nothing is called that.</p>
<ul>
<li class="top"><a href="/docs"${current ? '' : html` aria-current="page"`}>Introduction</a></li>
<li class="top"><a href="/openapi.json">openapi.json</a></li>
</ul>
${chapters.map((chapter) => chapterLinks(chapter, current))}
</nav>
`
}

const chapterLinks = ({ name, topics }: Chapter, current: Topic | undefined): Html => html`<h2>${name}</h2>
<ul>${topics.map(
  (topic) =>
    html`<li><details${topic === current && html` open`}><summary>${topic.name}</summary><ul>${topic.operations.map(
      ({ operationId, summary, method, path }) =>
        html`<li><a href="/docs/${topic.slug}#${operationId}" title="${path}"><span class="method ${method}">${method === 'delete' ? 'DEL' : method.toUpperCase()}</span> ${summary}</a></li>\n`,
    )}</ul></details></li>`,
)}</ul>\n`

const frontBody = ({ title, version, introduction, server, chapters }: Model): Html => html`<div class="text">
<h1>${title}</h1>
<p class="facts">Version ${version} · <code>${server}</code></p>
${markdown(introduction)}
</div>
<h2 id="operations">Operations</h2>
<div class="cards">${chapters.map(
  ({ name, topics }) =>
    html`<section><h3>${name}</h3><ul>${topics.map(
      ({ slug, name: topic, about }) =>
        html`<li><a href="/docs/${slug}">${topic}</a> <span>${inline(about)}</span></li>`,
    )}</ul></section>`,
)}</div>
`

function topicBody(model: Model, { name, about, operations }: Topic): Html {
  const page: PageInProgress = { model, shown: new Set() }
  return html`<h1>${name}</h1>
<div class="text">${markdown(about)}</div>
${operations.map((described) => operation(page, described))}`
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Lets a page run its own script, and call this server. */
const contentPolicy = ({ style, script }: Frame): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
