import type { apps } from '../resources/apps.js'
import type { WordsOf } from './field-words.js'

export const appWords = {
  title: { label: 'Name', help: null },
  active: { label: 'Enabled', help: 'Its credentials work. Turn it off to block the app.' },
  client_id: { label: 'Client ID', help: null },
  first_page: {
    label: 'First page of lists',
    help: 'Leave empty to use the setting of the channel.',
    options: { '0': '0', '1': '1' },
  },
  public_client: {
    label: 'No client secret',
    help: 'For apps on TVs and phones, which cannot keep a secret.',
  },
  password_grant: {
    label: 'Ask for passwords in the app',
    help: 'The app asks for e-mail address and password itself instead of opening the sign-in page.',
  },
  device_renewal: {
    label: 'Linked devices can sign in again',
    help: 'With a new PIN, without the viewer entering it.',
    options: { same_network: 'From the same network', always: 'From anywhere', never: 'Never' },
  },
  redirect_uris: {
    label: 'Redirect addresses',
    help: 'Where the sign-in page may send viewers back. Must match exactly.',
  },
  app_type_id: { label: 'Type of app', help: 'In your own words, such as Roku.' },
  device_ids: { label: 'Devices', help: 'What the app runs on.' },
  version: { label: 'Version', help: 'The current version in the store.' },
  store_id: { label: 'Store ID', help: null },
  store_icon_url: { label: 'Store icon URL', help: null },
  per_page: { label: 'Items per page', help: 'How many items the app shows at once.' },
  theme: { label: 'Theme', help: null, options: { light: 'Light', dark: 'Dark' } },
  featured_playlist_id: {
    label: 'Start playlist',
    help: 'What the app opens with. Leave empty for the first playlist.',
  },
  device_linking: {
    label: 'Sign in with a PIN',
    help: 'Viewers sign in on a TV with a PIN that they enter on another device.',
  },
  in_app_purchase: { label: 'In-app purchases', help: 'The app sells through its app store.' },
  settings: {
    label: 'Custom settings',
    help: 'Your own names and values, which the app reads when it starts.',
  },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof apps>
