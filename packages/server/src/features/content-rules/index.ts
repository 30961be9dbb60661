import { getGeoip } from './geoip.js'
import { createProfile, listOnOnePage, removeProfile, updateProfile } from './profiles.js'
import { createRule, updateRule } from './write.js'

const onRecord = {
  operations: { list: listOnOnePage, create: createRule, update: updateRule },
  actions: {},
} as const

/** Content rules, their profiles, and the geo lookup. */
export const contentRules = {
  video_content_rules: onRecord,
  playlist_content_rules: onRecord,
  category_content_rules: onRecord,
  content_rule_profiles: {
    operations: { list: listOnOnePage, create: createProfile, update: updateProfile, remove: removeProfile },
    actions: {},
  },
  geoip: { operations: { get: getGeoip }, actions: {} },
} as const
