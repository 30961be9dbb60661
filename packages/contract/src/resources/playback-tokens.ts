import { id, integer, text, timestamp } from '../fields.js'
import { limits } from '../limits.js'
import { defineResource } from '../resource.js'
import { playlists } from './playlists.js'
import { videos } from './videos.js'

export const signingKeys = defineResource({
  name: 'signing_key',
  plural: 'signing_keys',
  about:
    'A key with which your own server signs playback tokens (JWT, ES256), without a request. Removing it ends its tokens.',
  access: {},
  roles: ['owner'],
  namedKeys: 'never',
  credential: true,
  operations: ['list', 'get', 'create', 'remove'],
  fields: {
    name: text({ about: 'What it is for.', required: true, maxLength: 100, filter: ['is'], sort: true }),
    public_key: text({
      about: 'The public half, as PEM. Signatures are checked with it.',
      computed: true,
      always: true,
      maxLength: 1000,
    }),
    private_key: text({
      about: 'The private half, as PEM. Shown once, when it is created; null from then on.',
      once: true,
      computed: true,
      derived: true,
      maxLength: 1000,
    }),
  },
})

/** Shared by the tokens of videos and playlists. */
const common = {
  path: 'playback_tokens',
  wrapper: 'playback_token',
  access: {},
  credential: true,
  derived: true,
  operations: ['create'],
} as const

const tokenFields = {
  expires_in: integer({
    about: 'For how many seconds it can be used. Make it longer than the video.',
    default: 14_400,
    min: 60,
    max: limits.playback_token_seconds.value,
  }),
  expires_at: timestamp({
    about: 'When it expires. What is being watched then ends.',
    computed: true,
    always: true,
  }),
  token: text({
    about: 'Sent as playback_token or X-Playback-Token, to players only. Not stored.',
    computed: true,
    always: true,
    maxLength: 2000,
  }),
}

const address = (about: string) => text({ about, computed: true, always: true, maxLength: 4000 })

export const videoPlaybackTokens = defineResource({
  ...common,
  name: 'video_playback_token',
  plural: 'video_playback_tokens',
  about:
    'Lets anyone who has it watch one video for some minutes or hours, without signing in or paying. Rules about countries, devices and sites still apply, and the video must be published. It gives no access to the API.',
  within: videos,
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    ...tokenFields,
    watch_url: address('The share page, with the token.'),
    embed_url: address('The page of the player for a frame, with the token.'),
    manifest_url: address('The HLS playlist, with the token.'),
  },
})

export const playlistPlaybackTokens = defineResource({
  ...common,
  name: 'playlist_playback_token',
  plural: 'playlist_playback_tokens',
  about:
    'The same for every video that is in a playlist, or in a playlist below it, at the moment of watching.',
  within: playlists,
  fields: {
    playlist_id: id({ about: 'The playlist.', computed: true, always: true }),
    ...tokenFields,
  },
})
