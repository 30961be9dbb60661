import { flag, id, integer, list, map, objects, password, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

/** Kept as what it counts comes and goes. */
const counted = (about: string) => integer({ about, computed: true, default: 0, filter: ['is', 'range'] })

/** Kept as a digest for look-up and sealed for display, in a table of its own. */
const token = (purpose: string) =>
  text({
    about: `A token ${purpose}: random, unless you set it. Only the admin key sees it, and finds the consumer by it. Null makes a new one.`,
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
  personal: true,
  counted: true,
  fields: {
    email: text({
      about: 'The address the consumer signs in with; one consumer each in a channel. Kept in lower case.',
      required: true,
      maxLength: 254,
      format: 'email',
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    password: password({
      about:
        'Kept as a hash and never shown. Without one the consumer can only sign in after choosing one through a forgotten-password mail. Changing it ends every session.',
    }),
    password_confirmation: password({ about: 'When given, it must be the same as the password.' }),
    current_password: password({
      about:
        'The password until now. An access token needs it to change the e-mail address and, on a linked device, the password; where it is sent, it must be right.',
      minLength: 1,
    }),
    password_token: text({
      about:
        'A token of your own for a forgotten password, never shown: list consumers by it and the address to see whether it is right. A new password ends it.',
      maxLength: 200,
      writeOnly: true,
      restricted: true,
      filter: ['is'],
    }),
    rss_token: token('for feeds of your own that a viewer subscribes to'),
    remember_token: token('for apps of your own that stay signed in'),
    name: text({ about: 'How the consumer is called.', search: true }),
    birthday: text({ about: 'A date, as the app writes it.', maxLength: 40 }),
    sex: text({ about: 'As the app writes it.', maxLength: 40 }),
    terms: flag({ about: 'Has agreed to the terms.', filter: ['is'] }),
    updates: flag({ about: 'Wants to hear of news.', filter: ['is'] }),
    parental_access_code: text({
      about: 'The code that the app asks for before it plays what is rated higher.',
      maxLength: 20,
    }),
    parental_access_rating: text({ about: 'What is rated higher needs the code.', maxLength: 40 }),
    super_watcher: flag({ about: 'May watch everything, whatever the rules say.', restricted: true }),
    stripe_id: text({ about: 'The customer at Stripe.', restricted: true, filter: ['is'] }),
    braintree_id: text({ about: 'The customer at Braintree.', restricted: true, filter: ['is'] }),
    recurly_code: text({ about: 'The account at Recurly.', restricted: true, filter: ['is'] }),
    custom: map({
      about: 'Free attributes of your own; filter with custom[name]=value.',
      filter: ['is'],
    }),
    email_verified_at: timestamp({
      about: 'When the consumer proved to read mail at this address; null until then.',
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
    current_sign_in_ip: text({ about: 'Where it came from.', computed: true, filter: ['is'] }),
    last_sign_in_at: timestamp({ about: 'The sign-in before.', computed: true, filter: ['is', 'range'] }),
    last_sign_in_ip: text({ about: 'Where that came from.', computed: true, filter: ['is'] }),
    video_count: counted(
      'Entitlements to videos, as the list of them has them: those that have expired too.',
    ),
    playlist_count: counted('Entitlements to playlists, likewise.'),
    pass_count: counted('Passes that were bought, those that have expired too.'),
    transaction_count: counted('Transactions, passes among them.'),
    payment_providers: list(text({ about: 'A payment provider.' }), {
      about: 'Who was paid: the providers of the subscriptions and transactions there are.',
      computed: true,
      item: 'payment_provider',
      filter: ['any'],
      filterAs: ['payment_provider'],
    }),
    has_trialed: flag({
      about: 'Has had a subscription with days that cost nothing.',
      computed: true,
      derived: true,
    }),
    days_trialed: integer({
      about: 'Whole days of those that have passed.',
      computed: true,
      default: 0,
      derived: true,
    }),
    linked_devices: list(text({ about: 'The id a device gave itself.' }), {
      about:
        'The TVs and boxes linked now, by their linked_device_id. What is known of each is at /consumers/{id}/devices.',
      computed: true,
      derived: true,
      item: 'linked_device',
    }),
    subscription_count: integer({
      about: 'Subscriptions that hold now.',
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
        'Mails a link to choose a new password, if there is a consumer with this address. The answer is the same if there is none.',
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
        'Mails a link that confirms the address, if there is a consumer with this address who has not done so. The answer is the same if there is none.',
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
      about: 'Takes the parental access code away.',
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
