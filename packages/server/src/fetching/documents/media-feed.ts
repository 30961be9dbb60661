import { childrenOf } from '../../lib/xml-document.js'
import type { XmlElement } from '../../lib/xml-reader.js'
import { FetchRefused } from '../fetch-error.js'

/** An item of a feed with a film that can be imported. */
export interface ImportableItem {
  readonly guid: string
  readonly title: string
  readonly description: string | null
  readonly keywords: readonly string[]
  readonly categories: readonly string[]
  readonly publishedAt: string | null
  readonly thumbnail: string | null
  readonly url: string
}

export interface MediaFeed {
  readonly title: string
  /** The items with a film; each guid appears once. */
  readonly items: readonly ImportableItem[]
  /** The number of items, with a film or without. */
  readonly found: number
}

/** Reads the items of a feed: RSS or Atom, with Media RSS or enclosures. Relative addresses are resolved against `address`. */
export function readMediaFeed(root: XmlElement, address: string): MediaFeed {
  const channel = root.name === 'feed' ? root : childrenOf(root, 'channel')[0]
  if (!channel || (root.name !== 'rss' && root.name !== 'feed')) throw new FetchRefused(noFeed(root.name))
  const feed = { prefix: prefixOf(root) ?? prefixOf(channel) ?? 'media:', address }
  const elements = childrenOf(channel, root.name === 'feed' ? 'entry' : 'item')
  const items = new Map<string, ImportableItem>()
  for (const element of elements) {
    const item = itemOf(element, feed)
    if (item && !items.has(item.guid)) items.set(item.guid, item)
  }
  return { title: cut(textIn(channel, 'title'), 500), items: [...items.values()], found: elements.length }
}

const noFeed = (name: string): string =>
  `This is not a feed: its root element is ${name.slice(0, 100)}, not rss or feed. Give the address of the feed itself, not of a page that links to it.`

interface FeedContext {
  /** The namespace prefix of Media RSS. */
  readonly prefix: string
  readonly address: string
}

const mediaNamespace = /^https?:\/\/(video\.)?search\.yahoo\.com\/mrss\/?$/

function prefixOf({ attributes }: XmlElement): string | undefined {
  const found = Object.entries(attributes).find(
    ([name, value]) => name.startsWith('xmlns:') && mediaNamespace.test(value),
  )
  return found && `${found[0].slice('xmlns:'.length)}:`
}

/** The first text of a child with one of these names, tried in their order. */
function textIn(element: XmlElement, ...names: readonly string[]): string {
  for (const name of names) {
    const found = childrenOf(element, name).find(({ text }) => text !== '')
    if (found) return found.text
  }
  return ''
}

function itemOf(item: XmlElement, feed: FeedContext): ImportableItem | undefined {
  const groups = childrenOf(item, `${feed.prefix}group`)
  const contents = [item, ...groups].flatMap((each) => childrenOf(each, `${feed.prefix}content`))
  const content = bestOf(contents.filter(isFilm))
  const url = absolute(content?.attributes.url ?? enclosureOf(item), feed)
  const guid = textIn(item, 'guid', 'id') || url
  if (url === undefined || guid === undefined || guid.length > 500) return undefined
  const places = [...(content ? [content] : []), ...groups, item]
  const said = (name: string) =>
    places.map((each) => textIn(each, feed.prefix + name)).find((text) => text !== '') ?? ''
  const description = said('description') || textIn(item, 'description', 'summary', 'content')
  return {
    guid,
    title: cut(plainText(said('title') || textIn(item, 'title')), 500) || 'Untitled',
    description: cut(plainText(description), 50_000) || null,
    keywords: distinct(said('keywords').split(',')),
    categories: categoriesOf([item, ...places], feed),
    publishedAt: isoTime(textIn(item, 'pubDate', 'dc:date', 'published', 'updated')),
    thumbnail: thumbnailOf(places, feed),
    url,
  }
}

const cut = (text: string, longest: number) => text.slice(0, longest).toWellFormed()

const distinct = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.map((text) => cut(text.trim(), 100)))].filter((text) => text !== '').slice(0, 100)

/** HLS and DASH playlists cannot be imported as files. */
const isPlaylist = (url: string, type: string) =>
  /mpegurl|dash\+xml/i.test(type) || /\.(m3u8|mpd)(\?|$)/i.test(url)

const isFilm = ({ attributes: { url = '', type = '', medium = 'video' } }: XmlElement): boolean =>
  url !== '' && medium === 'video' && /^(video\/|application\/|$)/i.test(type) && !isPlaylist(url, type)

/** The variant of a film that the feed marks as default, or else the largest. */
function bestOf(films: readonly XmlElement[]): XmlElement | undefined {
  const size = ({ attributes: { height, bitrate } }: XmlElement) =>
    (Number(height) || 0) * 1e6 + (Number(bitrate) || 0)
  const preferred = films.find(({ attributes }) => attributes.isDefault === 'true')
  return preferred ?? [...films].sort((one, other) => size(other) - size(one))[0]
}

/** The film in an RSS enclosure or an Atom link. */
function enclosureOf(item: XmlElement): string | undefined {
  const links = childrenOf(item, 'link').filter(({ attributes }) => attributes.rel === 'enclosure')
  const enclosed = [...childrenOf(item, 'enclosure'), ...links].map(({ attributes }) => ({
    url: attributes.url ?? attributes.href ?? '',
    type: attributes.type ?? '',
  }))
  return enclosed.find(({ url, type }) => /^video\//i.test(type) && url !== '' && !isPlaylist(url, type))?.url
}

function absolute(url: string | undefined, { address }: FeedContext): string | undefined {
  if (url === undefined || !URL.canParse(url, address)) return undefined
  const { protocol, href } = new URL(url, address)
  return /^https?:$/.test(protocol) && href.length <= 2000 ? href : undefined
}

const categoriesOf = (places: readonly XmlElement[], { prefix }: FeedContext): readonly string[] =>
  distinct(
    places
      .flatMap((each) => [...childrenOf(each, `${prefix}category`), ...childrenOf(each, 'category')])
      .map(({ text, attributes }) => text || attributes.term || attributes.label || ''),
  )

function thumbnailOf(places: readonly XmlElement[], feed: FeedContext): string | null {
  const [first] = places.flatMap((each) => childrenOf(each, `${feed.prefix}thumbnail`))
  return absolute(first?.attributes.url, feed) ?? null
}

/** Texts in feeds are often HTML: removes the tags and decodes the entities. */
function plainText(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    quot: '"',
    nbsp: ' ',
    '#39': "'",
    amp: '&',
  }
  return text
    .replace(/<\/?(br|p|div|li)\b[^<>]*>/gi, '\n')
    .replace(/<[a-z/!][^<>]*>/gi, '')
    .replace(/&(lt|gt|quot|nbsp|#39|amp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .trim()
}

function isoTime(text: string): string | null {
  const at = Date.parse(text)
  return at > 0 && at < Date.UTC(9999, 0) ? new Date(at).toISOString() : null
}
