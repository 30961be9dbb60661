import { id } from '../fields.js'
import { defineResource } from '../resource.js'
import { categories } from './categories.js'
import { contentRuleFields } from './content-rule-fields.js'
import { playlists } from './playlists.js'
import { videos } from './videos.js'

/** What the rules on all kinds of record have in common. */
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
    'Who may watch a video, or may not: by country, kind of device, site and time. A rule concerns those who meet everything it names, and everybody if it names nothing.',
  within: videos,
  fields: {
    video_id: id({ about: 'The video it is about.', computed: true, always: true }),
    ...contentRuleFields,
  },
})

export const playlistContentRules = defineResource({
  ...common,
  name: 'playlist_content_rule',
  plural: 'playlist_content_rules',
  about:
    'Who may watch the videos of a playlist, and of those below it: the same as on a video, tried after the rules of the video itself where both have the same priority.',
  within: playlists,
  fields: {
    playlist_id: id({ about: 'The playlist it is about.', computed: true, always: true }),
    ...contentRuleFields,
  },
})

export const categoryContentRules = defineResource({
  ...common,
  name: 'category_content_rule',
  plural: 'category_content_rules',
  about:
    'Who may watch the videos of a category, whichever of its values they have: the same as on a video, tried after the rules of videos and playlists where they have the same priority.',
  within: categories,
  fields: {
    category_id: id({ about: 'The category it is about.', computed: true, always: true }),
    ...contentRuleFields,
  },
})
