import { id, number, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const videoRatings = defineResource({
  name: 'video_rating',
  plural: 'video_ratings',
  shownIn: 'videos',
  about: 'The rating of a video by a consumer. The mean of all ratings is the rating of the video.',
  access: { consumer: ['list', 'create'] },
  within: consumers,
  operations: ['list', 'create'],
  fields: {
    consumer_id: id({ about: 'Who rates.', computed: true, always: true }),
    consumer_email: text({ about: 'The address of the consumer.', computed: true, derived: true }),
    video_id: id({ about: 'The video.', required: true, filter: ['is'] }),
    rating: number({
      about: 'From 0 to 5. A later rating replaces the earlier one.',
      required: true,
      max: 5,
    }),
  },
})
