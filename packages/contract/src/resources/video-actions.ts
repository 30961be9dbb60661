import { id, list, text } from '../fields.js'

const zobject_id = list(id({ about: 'A zobject.' }), {
  about: 'The zobjects.',
  required: true,
  item: 'zobject_id',
  maxItems: 100,
})

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
  restore: {
    method: 'POST',
    about: 'Brings a deleted video back; possible for 30 days after its deletion.',
    access: {},
  },
  retry: {
    method: 'POST',
    about:
      'Has the film prepared again after a failure: the whole film, a new film for the video, or the parts of it that could not be made. Nothing is begun twice.',
    access: {},
  },
} as const
