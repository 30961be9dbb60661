import type { FeedItem } from './feed-item.js'
import type { FeedPage } from './feed-page.js'
import { descriptionOf, type FeedAddresses, valuesOf } from './feed-xml.js'

/** JSON Feed 1.1 (https://jsonfeed.org/version/1.1). Unknown values are left out. */
export const writeJson = (page: FeedPage, { self, next }: FeedAddresses): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: page.title,
    description: page.description,
    home_page_url: page.link,
    feed_url: self,
    next_url: next,
    language: page.language ?? undefined,
    items: page.items.map(itemOf),
  })

function itemOf(item: FeedItem): object {
  const { video, medium, pictures } = item
  const { season, episode } = video
  return {
    id: video._id,
    url: video.discovery_url ?? undefined,
    title: video.title,
    content_text: descriptionOf(video),
    summary: video.short_description ?? undefined,
    image: pictures[0]?.url,
    date_published: video.published_at,
    date_modified: video.updated_at,
    language: video.language ?? undefined,
    tags: [...new Set([...valuesOf(item).map(({ value }) => value), ...video.keywords])],
    attachments: [
      {
        url: medium.url,
        mime_type: medium.type,
        size_in_bytes: medium.bytes,
        duration_in_seconds: video.duration ?? undefined,
      },
    ],
    // The format asks for custom fields to be under a name of our own.
    _zoetrope: {
      season: season ?? undefined,
      episode: episode ?? undefined,
      mature_content: video.mature_content,
      width: medium.width,
      height: medium.height,
      thumbnails: pictures,
    },
  }
}
