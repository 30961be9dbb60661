import { choice, flag, integer, list, text } from '../fields.js'
import { defineResource } from '../resource.js'

export const account = defineResource({
  name: 'account',
  plural: 'channels',
  about: "The channel's own record and settings.",
  access: {},
  namedKeys: 'never',
  // Where viewers give their password or a token that sets it, where player keys may be used, and how far an address goes.
  confirmed: { update: ['reset_password_url', 'sign_in_url', 'embed_domains', 'shared_segments'] },
  operations: ['get', 'update'],
  single: true,
  fields: {
    title: text({ about: 'The name of the channel.', required: true }),
    first_page: choice([0, 1], {
      about: 'The number of the first page of a list: 0, or 1 for apps written for one-based services.',
      default: 0,
    }),
    logo_url: text({
      about: 'Your logo, shown on the sign-in pages.',
      maxLength: 2000,
      format: 'url',
    }),
    brand_color: text({
      about: 'Your colour on the sign-in pages, as #rrggbb.',
      maxLength: 7,
      format: 'color',
    }),
    support_url: text({ about: 'Where viewers find help.', maxLength: 2000, format: 'url' }),
    sign_in_url: text({
      about: 'Where viewers sign in. The share page of a video that needs it links there.',
      maxLength: 2000,
      format: 'url',
    }),
    subscribe_url: text({
      about: 'Where viewers subscribe. The share page of a video for subscribers links there.',
      maxLength: 2000,
      format: 'url',
    }),
    purchase_url: text({
      about:
        'Where viewers buy or rent videos, and passes. The share page of a video that is for sale links there.',
      maxLength: 2000,
      format: 'url',
    }),
    verify_email: flag({
      about: 'Consumers must confirm their e-mail address before they can sign in.',
    }),
    reset_password_url: text({
      about:
        'Your own page for choosing a new password; mails link to it with password_token. Null to use the page of the platform.',
      maxLength: 2000,
      format: 'url',
    }),
    embed_domains: list(text({ about: 'A host.', maxLength: 200, format: 'domain' }), {
      about:
        'The sites that may embed your videos with a player key or a read-only key: hosts such as example.com, *.example.com or localhost:3000. Empty for every site.',
      item: 'embed_domain',
      maxItems: 100,
    }),
    hls_encryption: flag({
      about:
        'Segments are sent encrypted (AES-128); access to their key is checked like access to the playlist.',
    }),
    shared_segments: flag({
      about:
        'Viewers share the addresses of segments, even of videos that not everybody may watch, so that a cache can keep them. Anyone who has such an address can use it for up to 12 hours. Without it, each viewer of such a video has addresses of their own, which are checked.',
    }),
    respect_do_not_track: flag({
      about:
        'Plays of viewers whose browser asks not to be tracked (the headers DNT and Sec-GPC) are not counted.',
    }),
    player_color: text({
      about: 'The colour of the player, as #rrggbb.',
      maxLength: 7,
      format: 'color',
    }),
    player_logo_url: text({
      about: 'A picture that the player shows in its corner.',
      maxLength: 2000,
      format: 'url',
    }),
    player_autoplay: flag({ about: 'Players start automatically, if the browser allows it.' }),
    player_muted: flag({
      about: 'Players start without sound. Browsers allow such players to start automatically.',
    }),
    player_loop: flag({ about: 'Players start again at the end.' }),
    player_controls: flag({ about: 'Players show controls.', default: true }),
    playlist_bundle_enabled: flag({ about: 'Whether playlists are sold as bundles.' }),
    theoplayer_version: text({ about: 'Read by some apps to choose a player build.', maxLength: 50 }),
    storage_bytes: integer({
      about:
        'How much of its storage limit the channel uses: the files of its videos, images sent as fields, and the announced size of resumable uploads.',
      computed: true,
      derived: true,
      max: Number.MAX_SAFE_INTEGER,
    }),
    storage_limit_bytes: integer({
      about: 'How much it may use, as set by the operator; null for no limit.',
      computed: true,
      derived: true,
      max: Number.MAX_SAFE_INTEGER,
    }),
  },
})
