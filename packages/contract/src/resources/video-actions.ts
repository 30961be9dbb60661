import { flag, id, integer, list, longText, text, timestamp } from '../fields.js'

const zobject_id = list(id({ about: 'A zobject.' }), {
  about: 'The zobjects.',
  required: true,
  item: 'zobject_id',
  maxItems: 100,
})

export const addressElsewhere = 'https, and open to other sites (CORS), so that players on pages can read it'

/** Creates a video from a file that is hosted elsewhere. */
const selfHostedVideo = {
  url: text({
    about: `The URL of the file: ${addressElsewhere}. It ends in .m3u8, .mp4, .webm or .mp3.`,
    required: true,
    maxLength: 2000,
    format: 'url',
  }),
  title: text({ about: 'Shown to viewers.', required: true, maxLength: 500 }),
  description: longText({ about: 'Shown beside the title.' }),
  active: flag({ about: 'Shown to viewers if true, which is the default.', default: true }),
  auto_active: flag({ about: 'Another name for active.', default: true }),
  auto_add: flag({ about: 'Accepted, but has no effect: the video is always created.', default: true }),
  live_event: flag({ about: 'A live event.' }),
  duration: integer({ about: 'Duration in whole seconds; optional.' }),
  enable_at: timestamp({ about: 'Becomes active at this time; hidden until then.' }),
  disable_at: timestamp({ about: 'Becomes inactive at this time.' }),
  on_air_at: timestamp({ about: 'When the live event starts.' }),
  off_air_at: timestamp({ about: 'When the live event ends.' }),
} as const

/** The actions of videos, besides the five operations. */
export const videoActions = {
  poster: {
    method: 'PUT',
    about:
      'Makes the pictures of a video from the frame at a given time. To use your own image, send it as the part image of a multipart body instead of the time; it stays until you choose another, even when the film is replaced.',
    access: {},
    body: {
      time: text({
        about: 'The time: seconds from the beginning such as 62.5, or a time such as 00:01:02.500.',
        required: true,
        maxLength: 20,
        format: 'timecode',
      }),
    },
  },
  automatic_poster: {
    method: 'DELETE',
    path: 'poster',
    about: 'Goes back to the automatically chosen frame.',
    access: {},
  },
  add_zobjects: {
    method: 'PUT',
    about: 'Attaches zobjects; those already attached stay.',
    access: {},
    body: { zobject_id },
  },
  remove_zobjects: {
    method: 'PUT',
    about: 'Detaches zobjects; those that are not attached are ignored.',
    access: {},
    body: { zobject_id },
  },
  entitled: {
    method: 'GET',
    about:
      'Checks whether the consumer of the access token may watch it: 200 if so, 422 with the reason if not.',
    access: { consumer: true },
    answers: 'message',
  },
  create_self_hosted: {
    method: 'POST',
    path: 'self_hosted',
    on: 'collection',
    about: 'Creates a video that plays from a file at another URL.',
    access: {},
    success: 201,
    body: selfHostedVideo,
  },
  restore: {
    method: 'POST',
    about: 'Restores a deleted video; possible for 30 days after its deletion.',
    access: {},
  },
  purge: {
    method: 'POST',
    about:
      'Deletes a deleted video for good, without waiting until it has been deleted for 30 days. This cannot be undone.',
    access: {},
    answers: 'message',
  },
  restore_version: {
    method: 'PUT',
    about:
      'Restores the state of the video after one of its versions. That is a change like any other, and can be undone. Film, pictures and subtitles are not changed; references to deleted records, such as a category, are left out.',
    access: {},
    body: { number: integer({ about: 'The number of the version.', required: true, min: 1 }) },
  },
  retry: {
    method: 'POST',
    about:
      'Prepares the film again after a failure: the whole film, a new film for the video, or the parts of it that could not be made. Work in progress is not started twice.',
    access: {},
  },
} as const
