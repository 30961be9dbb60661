import type { account } from '../resources/account.js'
import type { WordsOf } from './field-words.js'

export const accountWords = {
  title: { label: 'Channel name', help: null },
  first_page: {
    label: 'First page of lists',
    help: 'Choose 1 for apps that count pages from one.',
    options: { '0': '0', '1': '1' },
  },
  logo_url: { label: 'Logo URL', help: 'Shown on the pages where viewers sign in.' },
  brand_color: { label: 'Brand color', help: 'Used on the pages where viewers sign in, for example #2855c5' },
  support_url: { label: 'Support page', help: 'Where viewers find help.' },
  sign_in_url: {
    label: 'Sign-in page',
    help: 'Where viewers sign in. Share pages of locked videos link to it.',
  },
  subscribe_url: {
    label: 'Subscribe page',
    help: 'Where viewers subscribe. Share pages of locked videos link to it.',
  },
  purchase_url: {
    label: 'Shop page',
    help: 'Where viewers buy or rent videos and passes. Share pages of locked videos link to it.',
  },
  verify_email: {
    label: 'Verify e-mail addresses',
    help: 'Viewers confirm their address before they can sign in.',
  },
  reset_password_url: {
    label: 'Page for new passwords',
    help: 'Your own page for viewers who forgot their password. Leave empty to use the built-in one.',
  },
  embed_domains: {
    label: 'Allowed sites',
    help: 'For example example.com or *.example.com. Leave empty to allow every site.',
  },
  hls_encryption: {
    label: 'Encrypt videos',
    help: 'Video is sent encrypted (AES-128). Only viewers with access get the key.',
  },
  shared_segments: {
    label: 'Let caches keep restricted videos',
    help: 'Viewers who subscribe or buy get the same addresses, so that your CDN can keep them. Somebody whose access ends can go on watching what has been opened for up to 12 hours.',
  },
  respect_do_not_track: {
    label: 'Respect Do Not Track',
    help: 'Plays are not counted if the viewer’s browser asks not to be tracked.',
  },
  player_color: { label: 'Player color', help: 'For example #2855c5' },
  player_logo_url: { label: 'Logo URL', help: 'Shown in the corner of the player.' },
  player_autoplay: {
    label: 'Autoplay',
    help: 'Start automatically. Most browsers require the video to be muted.',
  },
  player_muted: { label: 'Muted', help: 'Start without sound.' },
  player_loop: { label: 'Loop', help: 'Start again at the end.' },
  player_controls: { label: 'Show controls', help: 'Show player controls.' },
  playlist_bundle_enabled: {
    label: 'Sell playlists as bundles',
    help: 'Apps offer whole playlists for sale.',
  },
  theoplayer_version: { label: 'THEOplayer version', help: 'Only for apps that use THEOplayer.' },
} as const satisfies WordsOf<typeof account>
