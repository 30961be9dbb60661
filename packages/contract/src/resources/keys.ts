import { flag, integer, list, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const keys = defineResource({
  name: 'named_key',
  plural: 'named_keys',
  path: 'keys',
  wrapper: 'key',
  about:
    'A named key: an API key for one purpose, sent as api_key like the keys of the channel. It may do what its scopes allow. Removing it revokes it.',
  access: {},
  roles: ['owner'],
  // A key that could make keys could make one with more rights than its own.
  namedKeys: 'never',
  credential: true,
  confirmed: { update: ['scopes', 'expires_at', 'allowed_networks', 'requests_per_minute'] },
  history: { name: 'key', quiet: ['last_used_at'] },
  fields: {
    name: text({
      about: 'What it is for; unique in the channel.',
      required: true,
      maxLength: 100,
      filter: ['is'],
      search: true,
      sort: true,
    }),
    scopes: list(text({ about: 'A scope.', maxLength: 100 }), {
      about:
        'What it may do: videos:read, playlists:write and so on. *:read and *:write cover every resource. At least one.',
      required: true,
      item: 'scope',
    }),
    expires_at: timestamp({ about: 'When it expires; null for never.', filter: ['range'] }),
    allowed_networks: list(text({ about: 'An IP address, or a network in CIDR notation.', maxLength: 50 }), {
      about:
        'The networks it may be used from: addresses such as 203.0.113.7, or networks such as 203.0.113.0/24 and 2001:db8::/32. Empty for everywhere.',
      item: 'allowed_network',
      maxItems: 50,
    }),
    strict: flag({
      about:
        'Whether parameters and fields that are not understood are errors (422) in its requests, instead of being ignored.',
    }),
    requests_per_minute: integer({
      about: 'How many requests it may make in a minute, on each server; more return 429. Null for no limit.',
      min: 1,
      max: 1_000_000,
    }),
    last_used_at: timestamp({
      about: 'When it was last used, to the minute; null if never.',
      computed: true,
      filter: ['range'],
    }),
    last_four: text({
      about: 'The last four characters of the key, by which it can be recognised.',
      computed: true,
      always: true,
    }),
    key: text({
      about: 'The key itself. Shown once, when it is created; null from then on.',
      computed: true,
      derived: true,
      once: true,
    }),
  },
})
