import { flag, id, integer, list, map, objects, password, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

/** Updated whenever a counted record is added or removed. */
const counted = (about: string) => integer({ about, computed: true, default: 0, filter: ['is', 'range'] })

/** Stored as a digest for lookup and encrypted for display, in a separate table. */
const token = (purpose: string) =>
  text({
    about: `A token ${purpose}: random, unless you set it. Only the admin key can read it and find the consumer by it. Null generates a new one.`,
    derived: true,
    maxLength: 200,
    restricted: true,
    filter: ['is'],
  })

export const consumers = defineResource({
  name: 'consumer',
  plural: 'consumers',
  about: "A viewer: an end user of the channel's video apps.",
  access: { app: ['create', 'get'], consumer: ['get', 'update'] },
  // With one of them somebody else could sign in as the viewer, or watch everything.
  confirmed: {
    create: ['super_watcher'],
    update: ['email', 'password', 'password_token', 'remember_token', 'rss_token', 'super_watcher'],
  },
  personal: true,
  counted: true,
  history: {
    hidden: ['parental_access_code'],
    quiet: [
      'sign_in_count',
      'current_sign_in_at',
      'current_sign_in_ip',
      'last_sign_in_at',
      'last_sign_in_ip',
      'video_count',
      'playlist_count',
      'pass_count',
      'transaction_count',
      'payment_providers',
    ],
  },
  fields: {
    email: text({
      about:
        'The e-mail address the consumer signs in with; unique within the channel. Stored in lower case.',
      required: true,
      maxLength: 254,
      format: 'email',
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    password: password({
      about:
        'Stored as a hash and never shown. A consumer without one can only sign in after choosing one through a forgotten-password mail. Changing it ends every session.',
    }),
    password_confirmation: password({ about: 'If given, it must be the same as the password.' }),
    current_password: password({
      about:
        'The current password. An access token needs it to change the e-mail address and, on a linked device, the password; if it is sent, it must be right.',
      minLength: 1,
    }),
    password_token: text({
      about:
        'Your own token for a forgotten password, never shown: to check one, list consumers by the token and the address. A new password invalidates it.',
      maxLength: 200,
      writeOnly: true,
      restricted: true,
      filter: ['is'],
    }),
    rss_token: token('for your own feeds that a viewer subscribes to'),
    remember_token: token('for your own apps that stay signed in'),
    name: text({ about: 'The name of the consumer.', search: true }),
    birthday: text({ about: 'A date, as the app writes it.', maxLength: 40 }),
    sex: text({ about: 'As the app writes it.', maxLength: 40 }),
    terms: flag({ about: 'Has agreed to the terms.', filter: ['is'] }),
    updates: flag({ about: 'Wants to receive news.', filter: ['is'] }),
    parental_access_code: text({
      about: 'The code that the app asks for before it plays videos with a higher rating.',
      maxLength: 20,
    }),
    parental_access_rating: text({ about: 'Videos with a higher rating need the code.', maxLength: 40 }),
    super_watcher: flag({ about: 'May watch everything, regardless of rules.', restricted: true }),
    stripe_id: text({ about: 'The customer at Stripe.', restricted: true, filter: ['is'] }),
    braintree_id: text({ about: 'The customer at Braintree.', restricted: true, filter: ['is'] }),
    recurly_code: text({ about: 'The account at Recurly.', restricted: true, filter: ['is'] }),
    custom: map({
      about: 'Your own attributes; filter with custom[name]=value.',
      filter: ['is'],
    }),
    email_verified_at: timestamp({
      about: 'When the consumer confirmed this e-mail address; null until then.',
      computed: true,
      filter: ['range'],
    }),
    sign_in_count: integer({
      about: 'How often the consumer has signed in.',
      computed: true,
      default: 0,
      filter: ['is', 'range'],
      sort: true,
    }),
    current_sign_in_at: timestamp({
      about: 'The latest sign-in.',
      computed: true,
      filter: ['is', 'range'],
    }),
    current_sign_in_ip: text({
      about: 'The network address of that sign-in.',
      computed: true,
      filter: ['is'],
    }),
    last_sign_in_at: timestamp({
      about: 'The sign-in before that.',
      computed: true,
      filter: ['is', 'range'],
    }),
    last_sign_in_ip: text({
      about: 'The network address of that earlier sign-in.',
      computed: true,
      filter: ['is'],
    }),
    video_count: counted(
      'Entitlements to videos, as the list of them has them: those that have expired too.',
    ),
    playlist_count: counted('Entitlements to playlists, likewise.'),
    pass_count: counted('Passes that were bought, including expired ones.'),
    transaction_count: counted('Transactions, including passes.'),
    payment_providers: list(text({ about: 'A payment provider.' }), {
      about: 'The payment providers of the subscriptions and transactions of the consumer.',
      computed: true,
      item: 'payment_provider',
      filter: ['any'],
      filterAs: ['payment_provider'],
    }),
    has_trialed: flag({
      about: 'Has had a subscription with a free trial.',
      computed: true,
      derived: true,
    }),
    days_trialed: integer({
      about: 'Whole days of the free trial that have passed.',
      computed: true,
      default: 0,
      derived: true,
    }),
    linked_devices: list(text({ about: 'The id that the device generated.' }), {
      about:
        'The TVs and boxes that are linked now, by their linked_device_id. Their other fields are at /consumers/{id}/devices.',
      computed: true,
      derived: true,
      item: 'linked_device',
    }),
    subscription_count: integer({
      about: 'Subscriptions that are valid now.',
      computed: true,
      default: 0,
      derived: true,
    }),
    subscription_ids: list(id({ about: 'A subscription.' }), {
      about: 'Their ids.',
      computed: true,
      derived: true,
      item: 'subscription_id',
    }),
    subscription_plans: objects(
      {
        id: id({ about: 'The plan.', always: true }),
        name: text({ about: 'Its name.', always: true }),
        entitlement_type: text({ about: 'Whether it is global or tiered.', always: true }),
        subscription_id: id({ about: 'The subscription to it.', always: true }),
      },
      { about: 'Their plans.', computed: true, derived: true, item: 'subscription_plan' },
    ),
  },
  actions: {
    forgot_password: {
      method: 'PUT',
      on: 'collection',
      about:
        'Mails a link to choose a new password, if there is a consumer with this address. The response is the same if there is none.',
      access: { app: true },
      answers: 'message',
      body: { email: text({ about: 'The address.', required: true, maxLength: 254 }) },
    },
    reset_password: {
      method: 'PUT',
      on: 'collection',
      about: 'Sets a new password with the token from that mail. Every session of the consumer ends.',
      access: { app: true },
      answers: 'message',
      body: {
        password: password({ about: 'The new password.', required: true }),
        password_token: text({ about: 'The token from the mail.', required: true }),
      },
    },
    send_verification: {
      method: 'PUT',
      on: 'collection',
      about:
        'Mails a link to confirm the address, if there is a consumer with this address who has not confirmed it. The response is the same if there is none.',
      access: { app: true },
      answers: 'message',
      body: { email: text({ about: 'The address.', required: true, maxLength: 254 }) },
    },
    verify_email: {
      method: 'PUT',
      on: 'collection',
      about: 'Confirms the address with the token from that mail.',
      access: { app: true },
      answers: 'message',
      body: { verification_token: text({ about: 'The token from the mail.', required: true }) },
    },
    reset_parental_access_code: {
      method: 'PUT',
      about: 'Removes the parental access code.',
      access: { consumer: true },
    },
    end_sessions: {
      method: 'POST',
      about: 'Ends every session of the consumer and unlinks every device.',
      access: { consumer: true },
      answers: 'message',
    },
  },
})
