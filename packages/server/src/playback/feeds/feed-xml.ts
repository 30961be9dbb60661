import { type Html, html } from '../../lib/html.js'
import type { FeedItem } from './feed-item.js'
import type { FeedPage } from './feed-page.js'

/** The addresses of the feed and of its next page. */
export interface FeedAddresses {
  readonly self: string
  readonly next: string | undefined
}

/** RSS 2.0 uses the date format of mail. */
const rssTime = (at: string) => new Date(at).toUTCString()

const namespaces = {
  mrss: html`xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:atom="http://www.w3.org/2005/Atom"`,
  rss: html`xmlns:atom="http://www.w3.org/2005/Atom"`,
}

function channel(
  form: 'mrss' | 'rss',
  page: FeedPage,
  { self, next }: FeedAddresses,
  items: readonly Html[],
): string {
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${namespaces[form]}>
<channel>
<title>${page.title}</title>
<link>${page.link}</link>
<description>${page.description}</description>
${page.language && html`<language>${page.language}</language>\n`}<lastBuildDate>${rssTime(page.updatedAt)}</lastBuildDate>
<generator>Zoetrope</generator>
<atom:link rel="self" type="application/rss+xml" href="${self}"/>
${next && html`<atom:link rel="next" type="application/rss+xml" href="${next}"/>\n`}${items}</channel>
</rss>
`.html
}

/** Elements common to both formats. The id stays the same when the address changes. */
const common = ({ video }: FeedItem): Html => html`<title>${video.title}</title>
${video.discovery_url && html`<link>${video.discovery_url}</link>\n`}<guid isPermaLink="false">${video._id}</guid>
<pubDate>${rssTime(video.published_at)}</pubDate>
<description>${descriptionOf(video)}</description>
`

export const descriptionOf = ({ description, short_description }: FeedItem['video']): string =>
  description || short_description || ''

/** RSS 2.0: the film is the enclosure of its item. */
export const writeRss = (page: FeedPage, addresses: FeedAddresses): string =>
  channel(
    'rss',
    page,
    addresses,
    page.items.map(
      (item) => html`<item>
${common(item)}${valuesOf(item).map(({ value }) => html`<category>${value}</category>\n`)}<enclosure url="${item.medium.url}" length="${item.medium.bytes ?? 0}" type="${item.medium.type}"/>
</item>
`,
    ),
  )

/**
 * Media RSS 1.5 with the elements that players and stores need. They stand in the item and not in a group,
 * because all readers look there.
 */
export const writeMrss = (page: FeedPage, addresses: FeedAddresses): string =>
  channel(
    'mrss',
    page,
    addresses,
    page.items.map(
      (item) => html`<item>
${common(item)}${content(item)}
<media:title type="plain">${item.video.title}</media:title>
<media:description type="plain">${descriptionOf(item.video)}</media:description>
${item.video.keywords.length > 0 && html`<media:keywords>${item.video.keywords.join(', ')}</media:keywords>\n`}${valuesOf(
  item,
).map(
  ({ title, value }) => html`<media:category label="${title}">${value}</media:category>\n`,
)}${item.pictures.map(
  ({ url, width, height }) =>
    html`<media:thumbnail url="${url}"${attribute('width', width)}${attribute('height', height)}/>\n`,
)}<media:rating scheme="urn:simple">${item.video.mature_content ? 'adult' : 'nonadult'}</media:rating>
${valid(item)}</item>
`,
    ),
  )

function content({ video, medium }: FeedItem): Html {
  const { kind, url, type, bytes, width, height } = medium
  return html`<media:content url="${url}" type="${type}" medium="${kind}" isDefault="true" expression="full"${[
    attribute('fileSize', bytes),
    attribute('duration', video.duration ?? undefined),
    attribute('width', width),
    attribute('height', height),
    attribute('lang', video.language ?? undefined),
  ]}/>`
}

const attribute = (name: string, value: string | number | undefined): Html | undefined =>
  value === undefined ? undefined : html` ${name}="${value}"`

/** The values of its categories, and its genre. */
export function valuesOf({ video }: FeedItem): { readonly title: string; readonly value: string }[] {
  const values = video.categories.flatMap(({ title, value }) => value.map((each) => ({ title, value: each })))
  return video.genre ? [{ title: 'Genre', value: video.genre }, ...values] : values
}

/** The period in which it may be shown, if limited. */
function valid({ video }: FeedItem): Html | undefined {
  const { enable_at, disable_at } = video
  const parts = [enable_at && `start=${enable_at};`, disable_at && `end=${disable_at};`, 'scheme=W3C-DTF']
  if (!enable_at && !disable_at) return undefined
  return html`<dcterms:valid>${parts.filter(Boolean).join(' ')}</dcterms:valid>\n`
}
