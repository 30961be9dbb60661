import { flag, id } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const videoFavorites = defineResource({
  name: 'video_favorite',
  plural: 'video_favorites',
  about: 'A video that a consumer keeps as a favourite.',
  access: { consumer: ['list', 'get', 'create', 'remove'] },
  within: consumers,
  operations: ['list', 'get', 'create', 'remove'],
  optionalFields: ['video_details'],
  includes: { video: 'videos' },
  listOptions: { details: flag({ about: 'The list includes the videos, as video_details.' }) },
  fields: {
    consumer_id: id({ about: 'Whose favourite it is.', computed: true, always: true }),
    video_id: id({ about: 'The video.', required: true, filter: ['is'] }),
  },
})
