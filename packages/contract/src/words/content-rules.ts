import type { contentRuleProfiles } from '../resources/content-rule-profiles.js'
import type { videoContentRules } from '../resources/content-rules.js'
import type { WordsOf } from './field-words.js'

export const contentRuleProfileWords = {
  title: { label: 'Name', help: null },
  description: { label: 'Description', help: null },
  is_default_profile: {
    label: 'Default profile',
    help: 'Used for all videos that have no profile of their own, nor through a playlist. Only one profile can be the default.',
  },
  content_rules: { label: 'Rules', help: null },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof contentRuleProfiles>

const shared = {
  name: { label: 'Name', help: 'For your own lists.' },
  policy: {
    label: 'Viewers who match',
    help: 'If any rule allows, viewers who match no rule cannot watch.',
    options: { allow: 'Can watch', deny: 'Cannot watch' },
  },
  priority: {
    label: 'Priority',
    help: 'Rules are checked from the lowest number up. The first match decides.',
  },
  stackable: {
    label: 'Combine with other rules',
    help: 'Rules of playlists, categories and profiles apply too.',
  },
  enabled: { label: 'Enabled', help: 'Turn it off to ignore the rule.' },
  device_ids: { label: 'Devices', help: 'Matches viewers on one of these devices.' },
  device_category_ids: { label: 'Types of device', help: 'Matches viewers on one of these types.' },
  domains: { label: 'Sites', help: 'Matches viewers on these sites, such as example.com or *.example.com.' },
  starts_at: { label: 'From', help: null },
  ends_at: { label: 'Until', help: null },
} as const

/** A rule of a video, a playlist or a category. */
export const contentRuleWords = {
  ...shared,
  geographies: {
    label: 'Countries',
    help: 'Matches viewers in one of these countries. Leave empty for all.',
    of: { countries: { label: 'Countries', help: null } },
  },
} as const satisfies WordsOf<typeof videoContentRules>

type ProfileRule = {
  readonly fields: (typeof contentRuleProfiles)['fields']['content_rules_attributes']['of']
}

/** A rule of a profile, which can name smaller places than countries. */
export const profileRuleWords = {
  ...shared,
  match_type: {
    label: 'Place',
    help: null,
    options: {
      global: 'Everywhere',
      country: 'Countries',
      state: 'States or provinces',
      city: 'Cities',
      zip_code: 'Postal codes',
      dma_code: 'Market areas (DMA)',
      ip_address: 'IP addresses',
    },
  },
  countries: { label: 'Countries', help: null },
  states: { label: 'States or provinces', help: 'For example CA, US-CA or California.' },
  cities: { label: 'Cities', help: 'By their English names.' },
  zip_codes: { label: 'Postal codes', help: null },
  dma_codes: { label: 'Market areas', help: 'DMA codes.' },
  ip_addresses: { label: 'IP addresses', help: 'Addresses, or networks such as 192.0.2.0/24.' },
  ip_ranges: {
    label: 'Ranges of IP addresses',
    help: null,
    of: { start: { label: 'First address', help: null }, end: { label: 'Last address', help: null } },
  },
} as const satisfies WordsOf<ProfileRule, 'id' | '_destroy' | 'geographies' | 'content_rule_group_ids'>
