import { choice, flag, id, integer, list, map, secret, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const apps = defineResource({
  name: 'app',
  plural: 'apps',
  about: 'A video application of the channel (web, Roku, Fire TV, iOS…), with its own credentials.',
  access: {},
  roles: ['owner'],
  namedKeys: 'read',
  credential: true,
  confirmed: { update: ['active', 'public_client', 'password_grant', 'device_renewal', 'redirect_uris'] },
  history: {
    milestones: {
      rotated: { about: 'An app has new secrets.', when: ['app_key changed', 'client_secret changed'] },
    },
  },
  fields: {
    title: text({
      about: 'The name of the app.',
      required: true,
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    active: flag({ about: 'Its credentials work only while this is true.', default: true, filter: ['is'] }),
    app_key: secret({ about: 'Sent as app_key with API requests.' }),
    client_id: text({ about: 'Identifies the app at the token endpoints.', computed: true, always: true }),
    client_secret: secret({ about: 'Authenticates the app at the token endpoints.' }),
    first_page: choice([0, 1], {
      about: "The number of the first page of a list for this app; null to use the channel's.",
    }),
    public_client: flag({ about: 'May request tokens without its client secret.' }),
    password_grant: flag({
      about:
        'May ask viewers for their e-mail address and password itself, instead of using the sign-in page.',
      default: true,
    }),
    device_renewal: choice(['same_network', 'always', 'never'], {
      about:
        'Whether a linked device may request a new PIN and sign in with it without its viewer: from the network where it was linked or last signed in, from anywhere, or never.',
      default: 'same_network',
    }),
    redirect_uris: list(text({ about: 'A redirect URI of the app.', maxLength: 2000, format: 'redirect' }), {
      about: 'The redirect URIs to which the sign-in page may send a viewer back; they must match exactly.',
      item: 'redirect_uri',
      maxItems: 20,
    }),
    app_type_id: text({ about: 'The kind of app, in your own words.', maxLength: 100 }),
    device_ids: list(id({ about: 'A device.' }), { about: 'The devices it runs on.', item: 'device_id' }),
    version: text({ about: 'The version in the store.', maxLength: 50 }),
    store_id: text({ about: 'Its id in the store.' }),
    store_icon_url: text({ about: 'Its icon in the store.', maxLength: 2000, format: 'url' }),
    per_page: integer({
      about: 'How many records the app shows at once; only the app uses it.',
      min: 1,
      max: 100,
    }),
    theme: choice(['light', 'dark'], { about: 'How the app looks.', default: 'light' }),
    featured_playlist_id: id({
      about:
        'The playlist that the app starts with. Null for the first top-level playlist of the channel, which GET /app returns.',
    }),
    device_linking: flag({
      about: 'Viewers sign in on a TV with a PIN that they enter on another device.',
      default: true,
    }),
    in_app_purchase: flag({ about: 'The app sells through its app store.' }),
    settings: map({
      about:
        'Custom settings that the app reads at start. GET /app returns them beside its own fields, and never in place of one.',
    }),
  },
  actions: {
    rotate: {
      method: 'POST',
      about:
        'Replaces the app key and the client secret. The old ones keep working for overlap seconds, a day by default.',
      access: {},
      // The dashboard has a way of its own, which asks for the password.
      roles: [],
      body: {
        overlap: integer({
          about: 'For how many seconds the old credentials still work; 0 ends them at once.',
          max: 2_592_000,
        }),
      },
    },
  },
})

const { title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page } = apps.fields
const { theme, device_linking, in_app_purchase } = apps.fields

export const ownApp = defineResource({
  name: 'own_app',
  plural: 'own_apps',
  about:
    'The app of the key or access token, without its secrets. Its settings are returned beside the fields.',
  access: { app: 'read', consumer: 'read' },
  namedKeys: 'never',
  path: 'app',
  single: true,
  derived: true,
  operations: ['get'],
  fields: {
    ...{ title, active, app_type_id, device_ids, version, store_id, store_icon_url, per_page },
    ...{ theme, device_linking, in_app_purchase },
    device_link_url: text({
      about:
        'The page where viewers type the PIN of a device: that of this server, or the one that the settings name.',
      computed: true,
      always: true,
      maxLength: 2000,
    }),
    featured_playlist_id: id({
      about:
        'The playlist to start with: the one the app names or, if it names none that viewers see, the first top-level playlist of the channel. Null if there is none.',
    }),
  },
})
