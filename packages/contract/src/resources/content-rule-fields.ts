import { choice, flag, id, integer, list, nested, text, timestamp } from '../fields.js'

const country = text({ about: 'A country, as its code of two letters or three.', maxLength: 3 })

/** What a rule says beside where it applies. */
export const policyFields = {
  name: text({ about: 'What you call it.' }),
  policy: choice(['allow', 'deny'], {
    about: 'Whether those whom it concerns may watch. Where there are rules that allow, nobody else may.',
    default: 'deny',
  }),
  priority: integer({
    about:
      'The order in which rules are tried: the lowest first, and the first that concerns a viewer decides.',
    default: 1,
    sort: true,
  }),
  stackable: flag({
    about: 'Rules of playlists, categories and profiles further away count beside it; false shuts those out.',
    default: true,
  }),
  enabled: flag({ about: 'Without effect when false.', default: true }),
} as const

/** Whom a rule concerns, beside the place they are in. */
export const circumstanceFields = {
  device_ids: list(id({ about: 'A kind of device.' }), {
    about: 'Those on one of these kinds of device.',
    item: 'device_id',
    maxItems: 100,
  }),
  device_category_ids: list(id({ about: 'A category of devices.' }), {
    about: 'Those on a device of one of these categories.',
    item: 'device_category_id',
    maxItems: 100,
  }),
  domains: list(text({ about: 'A host.', maxLength: 200, format: 'domain' }), {
    about: 'Those on pages of these sites: hosts such as example.com, *.example.com or localhost:3000.',
    item: 'domain',
    maxItems: 100,
  }),
  starts_at: timestamp({ about: 'Those who come at this time or later.' }),
  ends_at: timestamp({ about: 'Those who come before this time.' }),
} as const

const geography = {
  _id: id({ about: 'Its id; made anew with every change.' }),
  countries: list(country, {
    about: 'Countries, as ISO 3166 has them: DE or DEU.',
    item: 'country',
    maxItems: 250,
  }),
} as const

/** What a rule on a video, a playlist or a category has. */
export const contentRuleFields = {
  ...policyFields,
  geographies: nested(geography, {
    about: 'Those in one of these countries. An update replaces the whole list.',
    item: 'geography',
    maxItems: 20,
  }),
  ...circumstanceFields,
} as const
