import { change, choice, flag, id, list, longText, nested, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { circumstanceFields, policyFields } from './content-rule-fields.js'

const named = (about: string, item: string) =>
  list(text({ about: 'One of them.', maxLength: 100 }), { about, item, maxItems: 250 })

const rule = {
  ...policyFields,
  match_type: choice(['global', 'country', 'state', 'city', 'zip_code', 'dma_code', 'ip_address'], {
    about: 'Which of the lists is used; global for none. If absent, the one that is not empty.',
    default: 'global',
  }),
  countries: named('Countries, as ISO 3166 codes: DE or DEU.', 'country'),
  states: named('States and provinces, as CA, US-CA or California.', 'state'),
  cities: named('Cities, by their English names.', 'city'),
  zip_codes: named('Postal codes.', 'zip_code'),
  dma_codes: named('Codes of market areas.', 'dma_code'),
  ip_addresses: named('Network addresses, or networks such as 192.0.2.0/24.', 'ip_address'),
  ip_ranges: nested(
    {
      start: text({ about: 'The first address.', required: true, maxLength: 45 }),
      end: text({ about: 'The last address.', required: true, maxLength: 45 }),
    },
    { about: 'Ranges of network addresses, used with the match_type ip_address.', item: 'ip_range' },
  ),
  content_rule_group_ids: list(id({ about: 'A group.' }), {
    about: 'Always empty: groups are not supported.',
    item: 'content_rule_group_id',
  }),
  ...circumstanceFields,
} as const

export const contentRuleProfiles = defineResource({
  name: 'content_rule_profile',
  plural: 'content_rule_profiles',
  path: 'v3/content_rule_profiles',
  about:
    'A reusable set of rules about who may watch. Videos and playlists name a profile in content_rule_profile_id; a default profile can cover those that name none.',
  access: {},
  fields: {
    title: text({ about: 'What you call it.', filter: ['is', 'not'], search: true }),
    description: longText({ about: 'What it is for.', search: true }),
    is_default_profile: flag({
      about:
        'Applies to all videos that neither name a profile nor are in a playlist that names one. A channel has at most one.',
      filter: ['is'],
    }),
    content_rules: objects(
      {
        _id: id({ about: 'Its id.', always: true }),
        ...rule,
        created_at: timestamp({ about: 'When it was created.' }),
      },
      { about: 'Its rules, in the order of creation.', item: 'content_rule' },
    ),
    content_rules_attributes: nested(
      {
        ...change,
        ...rule,
        geographies: nested(
          { countries: named('Countries, likewise.', 'country') },
          { about: 'More countries, in the form that older clients send.', item: 'geography' },
        ),
      },
      {
        about:
          'Changes to content_rules: an object with an id changes a rule, one without adds a rule, _destroy removes one.',
        writeOnly: true,
        item: 'content_rule',
      },
    ),
  },
})
