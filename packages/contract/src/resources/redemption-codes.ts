import { choice, flag, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const target = {
  video_id: id({ about: 'The video that it gives access to.', filter: ['is'] }),
  playlist_id: id({ about: 'The playlist that it gives access to.', filter: ['is'] }),
  plan_id: id({ about: 'The plan that it subscribes to, for one period.', filter: ['is'] }),
  pass_plan_id: id({ about: 'The pass that it gives.', filter: ['is'] }),
  expiration_date: timestamp({
    about: 'Until when it can be redeemed; null for no limit.',
    filter: ['is', 'range'],
  }),
} as const

export const redemptionCodes = defineResource({
  name: 'redemption_code',
  plural: 'redemption_codes',
  about: 'A code that gives access to one item, for the one consumer who redeems it.',
  access: {},
  // Anyone who knows a code can redeem it.
  roles: ['owner', 'editor'],
  namedKeys: 'write',
  alsoNamedBy: 'code',
  wrapper: 'redemption_codes',
  includes: {
    video: 'videos',
    playlist: 'playlists',
    plan: 'plans',
    pass_plan: 'pass_plans',
    consumer: 'consumers',
  },
  fields: {
    code: text({
      about: 'The code, in capital letters and digits; by default a random one of sixteen characters.',
      always: true,
      maxLength: 64,
      filter: ['is'],
      search: true,
    }),
    nice_code: text({ about: 'The same in groups of four.', computed: true, always: true }),
    ...target,
    content_type: choice(['video', 'playlist', 'plan', 'pass_plan'], {
      about: 'What it gives access to.',
      computed: true,
      always: true,
    }),
    content_title: text({ about: 'The title of that item.', computed: true, maxLength: 500, search: true }),
    redeemed: flag({ about: 'Whether it was redeemed.', computed: true, filter: ['is'] }),
    redeemed_at: timestamp({ about: 'When it was redeemed.', computed: true, filter: ['is', 'range'] }),
    consumer_id: id({ about: 'Who redeemed it.', computed: true, filter: ['is'] }),
    transaction_id: id({
      about: 'The transaction that redeeming it created.',
      computed: true,
      filter: ['is'],
    }),
    subscription_id: id({ about: 'The subscription that redeeming it created.', computed: true }),
    expired: flag({ about: 'Whether it has expired.', computed: true, derived: true }),
    available: flag({ about: 'Whether it can be redeemed.', computed: true, derived: true }),
  },
  actions: {
    redeem: {
      method: 'POST',
      on: 'collection',
      about: 'Redeems the code for the consumer of the access token. A code can be redeemed once.',
      access: { consumer: true },
      body: {
        code: text({
          about: 'The code; spaces are ignored.',
          required: true,
          maxLength: 200,
          beside: ['code'],
        }),
        consumer_id: id({ about: 'Who redeems it; an access token always uses its own consumer.' }),
      },
    },
    bulk_create: {
      method: 'POST',
      on: 'collection',
      about: 'Creates many codes for one item.',
      access: {},
      answers: 'message',
      body: {
        amount: integer({ about: 'How many.', required: true, min: 1, max: 1000, beside: ['amount'] }),
        ...target,
      },
    },
  },
})
