import { choice, flag, id, integer, longText, secret, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const feeds = defineResource({
  name: 'feed',
  plural: 'feeds',
  about:
    'A playlist as a feed for others: as MRSS, as RSS or as JSON. It is opened by keys of its own, which open nothing else.',
  access: {},
  fields: {
    playlist_id: id({
      about: 'The playlist whose videos it has, in their order.',
      required: true,
      filter: ['is'],
    }),
    title: text({ about: 'Its title; that of the playlist when null.', maxLength: 500 }),
    description: longText({ about: 'Its description; that of the playlist when null.' }),
    link: text({
      about: "The publisher's page that belongs to it; the discovery_url of the playlist when null.",
      maxLength: 2000,
      format: 'url',
    }),
    language: text({
      about: 'The language of its texts: en, pt-BR. Its English name is understood too.',
      maxLength: 35,
      format: 'language',
    }),
    media: choice(['hls', 'mp4'], {
      about:
        'What its items lead to: playlists in several sizes, or files. Where there is no file, the playlist.',
      default: 'hls',
    }),
    item_limit: integer({
      about: 'Videos on one page; above 100 in full hundreds.',
      default: 100,
      min: 1,
      max: 1000,
    }),
    active: flag({ about: 'Nobody can read it while false.', default: true, filter: ['is'] }),
  },
})

const address = (form: string) =>
  text({
    about: `Where the feed is as ${form}, with the key in the address.`,
    computed: true,
    derived: true,
    maxLength: 2000,
  })

export const feedKeys = defineResource({
  name: 'feed_key',
  plural: 'feed_keys',
  about: 'A key that opens one feed and nothing else. Removing it ends it; another works on.',
  path: 'keys',
  access: {},
  // Whoever has a key reads the feed from anywhere.
  roles: ['owner', 'editor'],
  operations: ['list', 'get', 'create', 'remove'],
  within: feeds,
  fields: {
    feed_id: id({ about: 'The feed that it opens.', computed: true, always: true }),
    name: text({ about: 'Whom it was made for.' }),
    key: secret({ about: 'The key itself: sent as feed_key, or in the header X-Feed-Key.' }),
    expires_at: timestamp({ about: 'When it ends by itself; null for never.', filter: ['range'] }),
    mrss_url: address('MRSS'),
    rss_url: address('RSS'),
    json_url: address('JSON'),
  },
})
