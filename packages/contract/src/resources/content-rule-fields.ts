import { choice, flag, id, integer, list, nested, text, timestamp } from '../fields.js'

const country = text({ about: 'A country, as its code of two letters or three.', maxLength: 3 })

/** The fields of a rule besides its conditions. */
export const policyFields = {
  name: text({ about: 'What you call it.' }),
  policy: choice(['allow', 'deny'], {
    about:
      'Whether viewers whom it matches may watch. If any rule allows, viewers whom no rule matches may not.',
    default: 'deny',
  }),
  priority: integer({
    about:
      'The order in which rules are checked: the lowest first, and the first that matches a viewer decides.',
    default: 1,
    sort: true,
  }),
  stackable: flag({
    about:
      'Whether rules of playlists, categories and profiles further away also apply; false disables them.',
    default: true,
  }),
  enabled: flag({ about: 'The rule has no effect if false.', default: true }),
} as const

/** The conditions of a rule, besides the location. */
export const circumstanceFields = {
  device_ids: list(id({ about: 'A kind of device.' }), {
    about: 'Matches viewers on one of these kinds of device.',
    item: 'device_id',
    maxItems: 100,
  }),
  device_category_ids: list(id({ about: 'A category of devices.' }), {
    about: 'Matches viewers on a device of one of these categories.',
    item: 'device_category_id',
    maxItems: 100,
  }),
  domains: list(text({ about: 'A host.', maxLength: 200, format: 'domain' }), {
    about:
      'Matches viewers on pages of these sites: hosts such as example.com, *.example.com or localhost:3000.',
    item: 'domain',
    maxItems: 100,
  }),
  starts_at: timestamp({ about: 'Matches requests at this time or later.' }),
  ends_at: timestamp({ about: 'Matches requests before this time.' }),
} as const

const geography = {
  _id: id({ about: 'Its id; changes with every update.' }),
  countries: list(country, {
    about: 'Countries, as ISO 3166 codes: DE or DEU.',
    item: 'country',
    maxItems: 250,
  }),
} as const

/** What a rule on a video, a playlist or a category has. */
export const contentRuleFields = {
  ...policyFields,
  geographies: nested(geography, {
    about: 'Matches viewers in one of these countries. An update replaces the whole list.',
    item: 'geography',
    maxItems: 20,
  }),
  ...circumstanceFields,
} as const
