import { choice, flag, id, integer, longText, secret, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const feeds = defineResource({
  name: 'feed',
  plural: 'feeds',
  about:
    'A playlist as a feed for other programs, as MRSS, RSS or JSON. It has its own keys, which give access to nothing else.',
  access: {},
  // Its keys work again when it is switched on, and open another playlist.
  confirmed: { update: ['active', 'playlist_id'] },
  fields: {
    playlist_id: id({
      about: 'The playlist whose videos it lists, in order.',
      required: true,
      filter: ['is'],
    }),
    title: text({ about: 'Its title; null to use that of the playlist.', maxLength: 500 }),
    description: longText({ about: 'Its description; null to use that of the playlist.' }),
    link: text({
      about: "Its page on the publisher's site; null to use the discovery_url of the playlist.",
      maxLength: 2000,
      format: 'url',
    }),
    language: text({
      about: 'The language of its texts: en, pt-BR. English names are accepted too.',
      maxLength: 35,
      format: 'language',
    }),
    media: choice(['hls', 'mp4'], {
      about:
        'What its items link to: HLS playlists in several sizes, or MP4 files. Items without a file link to the playlist.',
      default: 'hls',
    }),
    item_limit: integer({
      about: 'Videos on one page; above 100, a multiple of 100.',
      default: 100,
      min: 1,
      max: 1000,
    }),
    active: flag({ about: 'It cannot be read while false.', default: true, filter: ['is'] }),
  },
})

const address = (form: string) =>
  text({
    about: `The URL of the feed as ${form}, including the key.`,
    computed: true,
    derived: true,
    maxLength: 2000,
  })

export const feedKeys = defineResource({
  name: 'feed_key',
  plural: 'feed_keys',
  about:
    'A key that gives access to one feed and nothing else. Removing it revokes it; other keys keep working.',
  path: 'keys',
  access: {},
  // Anyone who has a key can read the feed from anywhere.
  roles: ['owner', 'editor'],
  namedKeys: 'never',
  credential: true,
  operations: ['list', 'get', 'create', 'remove'],
  within: feeds,
  fields: {
    feed_id: id({ about: 'The feed it gives access to.', computed: true, always: true }),
    name: text({ about: 'Who it is for.' }),
    key: secret({ about: 'The key itself: sent as feed_key, or in the header X-Feed-Key.' }),
    expires_at: timestamp({ about: 'When it expires; null for never.', filter: ['range'] }),
    mrss_url: address('MRSS'),
    rss_url: address('RSS'),
    json_url: address('JSON'),
  },
})
