import { choice, flag, id, integer, nested, number, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { addressElsewhere } from './video-actions.js'
import { videos } from './videos.js'

const file = {
  url: text({
    about: `Where it is: ${addressElsewhere}. Of HLS the master playlist.`,
    required: true,
    maxLength: 2000,
    format: 'url',
  }),
  type: choice(['hls', 'mp4', 'webm', 'mp3'], {
    about: 'What it is; recognised by the end of the address when absent.',
  }),
  width: integer({ about: 'Pixels across, if you say.', max: 100_000 }),
  height: integer({ about: 'Pixels down, if you say.', max: 100_000 }),
  aspect_ratio: number({ about: 'Width over height.', computed: true }),
} as const

export const selfHostedSources = defineResource({
  name: 'self_hosted_source',
  plural: 'self_hosted_sources',
  about:
    'Files at other addresses that a video plays from, instead of a film that was uploaded. Viewers who may watch the video are told the addresses; nothing is fetched or encoded.',
  access: {},
  path: 'self_hosted',
  within: videos,
  wrapper: 'video',
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    active: flag({
      about:
        'The video plays from it. It does so from one at most: another that was active no longer is, and an uploaded film waits until none is.',
      default: true,
    }),
    duration: integer({ about: 'Whole seconds, if you say.' }),
    files: nested(file, {
      about: 'The same film in one or several forms. An update replaces the whole list.',
      required: true,
      item: 'file',
      maxItems: 20,
    }),
  },
})
