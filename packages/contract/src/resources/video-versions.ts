import { choice, id, integer, list, map, text } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const videoVersions = defineResource({
  name: 'video_version',
  plural: 'video_versions',
  about: `A change of a video: when, by whom, and what. The newest ${limits.video_versions.value} of a video are kept; a video that was never changed has none.`,
  access: {},
  derived: true,
  path: 'versions',
  within: videos,
  operations: ['list', 'get'],
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    number: integer({
      about: 'The number of the version; 1 is the video as it was created.',
      computed: true,
      always: true,
      sort: true,
    }),
    caller: choice(['admin', 'named', 'owner', 'editor', 'upload'], {
      about:
        'How it was changed: with the admin key, with a named key, by a role in the dashboard, or with an upload token. Null for changes by the platform, such as the schedule or the import of a feed.',
      computed: true,
    }),
    author: text({
      about:
        'Who changed it in the dashboard, by their name or the first part of their e-mail address; or the name of the named key.',
      computed: true,
    }),
    fields: list(text({ about: 'A field of the video.' }), {
      about: 'The fields that were changed.',
      computed: true,
      item: 'field',
    }),
    before: map({ about: 'Their values before.', computed: true }),
    after: map({ about: 'Their values after the change.', computed: true }),
  },
  order: { sort: 'number', order: 'desc' },
})
