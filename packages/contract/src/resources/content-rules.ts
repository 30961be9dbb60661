import { id } from '../fields.js'
import { defineResource } from '../resource.js'
import { categories } from './categories.js'
import { contentRuleFields } from './content-rule-fields.js'
import { playlists } from './playlists.js'
import { videos } from './videos.js'

/** Shared by the rules of videos, playlists and categories. */
const common = {
  path: 'content_rules',
  wrapper: 'content_rule',
  access: {},
  order: { sort: 'priority', order: 'asc' },
} as const

export const videoContentRules = defineResource({
  ...common,
  name: 'video_content_rule',
  plural: 'video_content_rules',
  about:
    'Allows or denies watching a video, by country, kind of device, site and time. A rule matches viewers who meet all its conditions; a rule without conditions matches everybody.',
  within: videos,
  fields: {
    video_id: id({ about: 'The video it applies to.', computed: true, always: true }),
    ...contentRuleFields,
  },
})

export const playlistContentRules = defineResource({
  ...common,
  name: 'playlist_content_rule',
  plural: 'playlist_content_rules',
  about:
    'Allows or denies watching the videos of a playlist and of the playlists below it. It works like a rule of a video, and is checked after those of equal priority of the video itself.',
  within: playlists,
  fields: {
    playlist_id: id({ about: 'The playlist it applies to.', computed: true, always: true }),
    ...contentRuleFields,
  },
})

export const categoryContentRules = defineResource({
  ...common,
  name: 'category_content_rule',
  plural: 'category_content_rules',
  about:
    'Allows or denies watching the videos of a category, with any of its values. It works like a rule of a video, and is checked after those of equal priority of videos and playlists.',
  within: categories,
  fields: {
    category_id: id({ about: 'The category it applies to.', computed: true, always: true }),
    ...contentRuleFields,
  },
})
