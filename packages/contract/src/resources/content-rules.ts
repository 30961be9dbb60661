import { id } from '../fields.js'
import { defineResource } from '../resource.js'
import { contentRuleFields } from './content-rule-fields.js'
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
