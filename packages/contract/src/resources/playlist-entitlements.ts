import { id, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'
import { entitlementFields } from './video-entitlements.js'

const fields = {
  consumer_id: id({ about: 'Who may watch.', computed: true, always: true }),
  playlist_id: id({ about: 'The playlist.', required: true, filter: ['is'] }),
  playlist_title: text({ about: 'Its title.', computed: true, derived: true, maxLength: 500 }),
  ...entitlementFields,
} as const

export const playlistEntitlements = defineResource({
  name: 'playlist_entitlement',
  plural: 'playlist_entitlements',
  shownIn: 'consumers',
  path: 'playlists',
  wrapper: 'entitlement',
  about:
    'Allows a consumer to watch the videos of a playlist, and of the playlists below it, until it expires.',
  access: { consumer: 'read' },
  within: consumers,
  includes: { playlist: 'playlists' },
  fields,
})

export const ownPlaylistEntitlements = defineResource({
  name: 'own_playlist_entitlement',
  plural: 'own_playlist_entitlements',
  path: 'consumer/playlists',
  about: 'The playlists that the consumer of the access token may watch.',
  access: { consumer: ['list'] },
  namedKeys: 'never',
  personal: true,
  derived: true,
  operations: ['list'],
  fields: { ...fields, playlist_title: { ...fields.playlist_title, search: true } },
})
