import { choice, file, flag, integer, number, text } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { offered, trackFields, trackLanguage } from './track-fields.js'
import { videos } from './videos.js'

export const audioTracks = defineResource({
  name: 'audio_track',
  plural: 'audio_tracks',
  about:
    'The sound of a video in one language, an audio description or a commentary. Viewers choose one in the player. Those of the film come with its file and go with it; others are uploaded, and stay when the film is replaced.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  within: videos,
  order: { sort: 'created_at', order: 'asc' },
  fields: {
    video_id: trackFields.video_id,
    language: text(trackLanguage),
    title: text({
      about: 'Its name in the menus of players; by default it follows from language and kind.',
      maxLength: 100,
    }),
    kind: choice(['main', 'description', 'commentary'], {
      about: 'The sound of the film, with a description of the picture, or with a commentary.',
      default: 'main',
      filter: ['is'],
    }),
    default: flag({
      about:
        'Played unless the viewer chooses another one. A video has at most one default: setting it clears the previous one.',
    }),
    active: offered('Offered to viewers if true. The only audio track of a film is always offered.'),
    file: file({
      about:
        'The audio file, of about the length of the film. As a part of a multipart body it may be as large as a film; as base64 it is limited. Needed for a new audio track, and cannot be replaced.',
      maxBytes: limits.audio_field_bytes.value,
    }),
    file_file_name: trackFields.file_file_name,
    origin: choice(['film', 'upload'], {
      about: 'Whether it is part of the file of the film, or was uploaded.',
      computed: true,
      always: true,
    }),
    status: choice(['processing', 'ready', 'failed'], {
      about: 'Whether it can be played.',
      computed: true,
      default: 'processing',
    }),
    error: text({ about: 'Why it failed, as a sentence.', computed: true, maxLength: 2000 }),
    notice: text({
      about: 'How it was fitted to the film, as a sentence, if it is shorter or longer.',
      computed: true,
      maxLength: 2000,
    }),
    duration: number({ about: 'Seconds.', computed: true }),
    channels: integer({
      about: 'Channels in the file. Uploaded tracks are played in stereo.',
      computed: true,
    }),
    bytes: integer({
      about: 'The size of the uploaded file.',
      computed: true,
      max: 9_007_199_254_740_991,
    }),
    sha256: text({ about: 'The SHA-256 digest of the uploaded file, in hexadecimal.', computed: true }),
  },
})
