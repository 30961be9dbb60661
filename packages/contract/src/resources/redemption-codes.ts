import { choice, flag, id, integer, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const target = {
  video_id: id({ about: 'The video that it opens.', filter: ['is'] }),
  playlist_id: id({ about: 'The playlist that it opens.', filter: ['is'] }),
  plan_id: id({ about: 'The plan that it subscribes to, for one period.', filter: ['is'] }),
  pass_plan_id: id({ about: 'The pass that it gives.', filter: ['is'] }),
  expiration_date: timestamp({
    about: 'Until when it can be redeemed; null for ever.',
    filter: ['is', 'range'],
  }),
} as const

export const redemptionCodes = defineResource({
  name: 'redemption_code',
  plural: 'redemption_codes',
  about: 'A code that opens one thing for the one consumer who redeems it.',
  access: {},
  alsoNamedBy: 'code',
  wrapper: 'redemption_codes',
  fields: {
    code: text({
      about: 'The code, in capital letters and digits; sixteen of them are made when absent.',
      always: true,
      maxLength: 64,
      filter: ['is'],
      search: true,
    }),
    nice_code: text({ about: 'The same in groups of four.', computed: true, always: true }),
    ...target,
    content_type: choice(['video', 'playlist', 'plan', 'pass_plan'], {
      about: 'What it opens.',
      computed: true,
      always: true,
    }),
    content_title: text({ about: 'The title of that.', computed: true, maxLength: 500, search: true }),
    redeemed: flag({ about: 'Somebody has redeemed it.', computed: true, filter: ['is'] }),
    redeemed_at: timestamp({ about: 'When.', computed: true, filter: ['is', 'range'] }),
    consumer_id: id({ about: 'Who.', computed: true, filter: ['is'] }),
    transaction_id: id({ about: 'The transaction that it became.', computed: true, filter: ['is'] }),
    subscription_id: id({ about: 'The subscription that it became.', computed: true }),
    expired: flag({ about: 'It can be redeemed no more.', computed: true, derived: true }),
    available: flag({ about: 'It can be redeemed.', computed: true, derived: true }),
  },
  actions: {
    redeem: {
      method: 'POST',
      on: 'collection',
      about: 'Opens what the code is for, for the consumer of the access token. A code is good for once.',
      access: { consumer: true },
      body: {
        code: text({
          about: 'The code, however it is spaced.',
          required: true,
          maxLength: 200,
          beside: ['code'],
        }),
        consumer_id: id({ about: 'Who redeems it; an access token names its own consumer by itself.' }),
      },
    },
    bulk_create: {
      method: 'POST',
      on: 'collection',
      about: 'Makes many codes for one thing.',
      access: {},
      answers: 'message',
      body: {
        amount: integer({ about: 'How many.', required: true, min: 1, max: 1000, beside: ['amount'] }),
        ...target,
      },
    },
  },
})
