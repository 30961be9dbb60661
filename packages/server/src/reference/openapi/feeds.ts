import { type PlacedOperation, placed } from './operations.js'
import { idParameter, inQuery } from './parameters.js'
import { errorsOf } from './responses.js'

const read = (form: string, summary: string, about: string, type: string): PlacedOperation => {
  const id = `getFeedAs${form.charAt(0).toUpperCase()}${form.slice(1)}`
  const description = `${about} It lists the videos that anybody may watch now, in the order of the playlist. Their URLs are signed and work for at least 60 hours.\n\n**Who may call it:** anyone who has a key of this feed.`
  return placed('get', `/feeds/{id}/${form}`, 'Feeds', [id, summary, description], {
    parameters: [
      idParameter,
      inQuery('feed_key', 'string', 'A key of this feed; or in the header `X-Feed-Key`.'),
      inQuery('page', 'integer', 'Which page; the address of the next one stands in each.'),
    ],
    responses: {
      200: { description: 'The feed.', content: { [type]: { schema: { type: 'string' } } } },
      304: { description: 'Nothing changed since the ETag that was sent as If-None-Match.' },
      ...errorsOf(401, 404, 422, 500, 503),
    },
  })
}

/** Feeds, as their readers ask for them. */
export const feedOperations = (): PlacedOperation[] => [
  read('mrss', 'A feed as MRSS', 'Media RSS 1.5, for TV platforms and partners.', 'application/rss+xml'),
  read('rss', 'A feed as RSS', 'RSS 2.0 with each film as an enclosure.', 'application/rss+xml'),
  read(
    'json',
    'A feed as JSON',
    '[JSON Feed 1.1](https://jsonfeed.org/version/1.1).',
    'application/feed+json',
  ),
]
