import { choice, flag, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const account = defineResource({
  name: 'account',
  plural: 'channels',
  about: "The channel's own record and settings.",
  access: {},
  operations: ['get', 'update'],
  single: true,
  fields: {
    title: text({ about: 'The name of the channel.', required: true }),
    first_page: choice([0, 1], {
      about: 'The number of the first page of a list: 0, or 1 for apps written for one-based services.',
      default: 0,
    }),
    playlist_bundle_enabled: flag({ about: 'Whether playlists are sold as bundles.' }),
    theoplayer_version: text({ about: 'Read by some apps to choose a player build.', maxLength: 50 }),
  },
})
