import { flag, id, integer, list, longText, text, timestamp } from '../fields.js'

const zobject_id = list(id({ about: 'A zobject.' }), {
  about: 'The zobjects.',
  required: true,
  item: 'zobject_id',
  maxItems: 100,
})

export const addressElsewhere = 'https, and open to other sites (CORS), so that players on pages can read it'

/** Makes a video of a file that lies somewhere else. */
const selfHostedVideo = {
  url: text({
    about: `Where the file is: ${addressElsewhere}. It ends in .m3u8, .mp4, .webm or .mp3.`,
    required: true,
    maxLength: 2000,
    format: 'url',
  }),
  title: text({ about: 'Shown to viewers.', required: true, maxLength: 500 }),
  description: longText({ about: 'Shown beside the title.' }),
  active: flag({ about: 'Shown to viewers when true, as it is if nobody says.', default: true }),
  auto_active: flag({ about: 'Another name for active.', default: true }),
  auto_add: flag({ about: 'Understood, and of no effect: the video is always made.', default: true }),
  live_event: flag({ about: 'A live event.' }),
  duration: integer({ about: 'Whole seconds, if you say.' }),
  enable_at: timestamp({ about: 'Becomes active at this moment; hidden until then.' }),
  disable_at: timestamp({ about: 'Becomes inactive at this moment.' }),
  on_air_at: timestamp({ about: 'When the live event starts.' }),
  off_air_at: timestamp({ about: 'When the live event ends.' }),
} as const

/** What can be done with a video beyond the five operations. */
export const videoActions = {
  poster: {
    method: 'PUT',
    about:
      'Makes the pictures of a video from the frame at a moment of it. An image of your own comes in the part image of a multipart body instead of the time; it stays until you choose another, also when the film is replaced.',
    access: {},
    body: {
      time: text({
        about: 'The moment: seconds from the beginning such as 62.5, or a time such as 00:01:02.500.',
        required: true,
        maxLength: 20,
        format: 'timecode',
      }),
    },
  },
  automatic_poster: {
    method: 'DELETE',
    path: 'poster',
    about: 'Goes back to pictures of a moment that is chosen by itself.',
    access: {},
  },
  add_zobjects: {
    method: 'PUT',
    about: 'Attaches zobjects; those that are attached already stay.',
    access: {},
    body: { zobject_id },
  },
  remove_zobjects: {
    method: 'PUT',
    about: 'Detaches zobjects; those that are not attached are passed over.',
    access: {},
    body: { zobject_id },
  },
  entitled: {
    method: 'GET',
    about: 'Whether the consumer of the access token may watch it: 200 if so, 422 with the reason if not.',
    access: { consumer: true },
    answers: 'message',
  },
  create_self_hosted: {
    method: 'POST',
    path: 'self_hosted',
    on: 'collection',
    about: 'Makes a video that plays from a file at another address.',
    access: {},
    success: 201,
    body: selfHostedVideo,
  },
  restore: {
    method: 'POST',
    about: 'Brings a deleted video back; possible for 30 days after its deletion.',
    access: {},
  },
  restore_version: {
    method: 'PUT',
    about:
      'Makes the video what it was after one of its versions. That is a change like any other, and can be taken back. Film, pictures and subtitles stay as they are; what is gone since, such as a deleted category, stays away.',
    access: {},
    body: { number: integer({ about: 'The number of the version.', required: true, min: 1 }) },
  },
  retry: {
    method: 'POST',
    about:
      'Has the film prepared again after a failure: the whole film, a new film for the video, or the parts of it that could not be made. Nothing is begun twice.',
    access: {},
  },
} as const
