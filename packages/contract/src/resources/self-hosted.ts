import { choice, flag, id, integer, nested, number, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { addressElsewhere } from './video-actions.js'
import { videos } from './videos.js'

const file = {
  url: text({
    about: `The URL: ${addressElsewhere}. For HLS, the master playlist.`,
    required: true,
    maxLength: 2000,
    format: 'url',
  }),
  type: choice(['hls', 'mp4', 'webm', 'mp3'], {
    about: 'The type of the file; by default recognised by the end of the URL.',
  }),
  width: integer({ about: 'Width in pixels; optional.', max: 100_000 }),
  height: integer({ about: 'Height in pixels; optional.', max: 100_000 }),
  aspect_ratio: number({ about: 'Width over height.', computed: true }),
} as const

export const selfHostedSources = defineResource({
  name: 'self_hosted_source',
  plural: 'self_hosted_sources',
  shownIn: 'videos',
  about:
    'Files at other URLs that a video plays from, instead of an uploaded film. Viewers who may watch the video get the URLs; nothing is fetched or encoded.',
  access: {},
  path: 'self_hosted',
  within: videos,
  wrapper: 'video',
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    active: flag({
      about:
        'Whether the video plays from it. Only one can be active: activating it deactivates the others, and an uploaded film is not used until none is active.',
      default: true,
    }),
    duration: integer({ about: 'Duration in whole seconds; optional.' }),
    files: nested(file, {
      about: 'The same film in one or several file types. An update replaces the whole list.',
      required: true,
      item: 'file',
      maxItems: 20,
    }),
  },
})
