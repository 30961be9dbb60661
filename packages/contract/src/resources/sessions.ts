import { id, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { consumers } from './consumers.js'

export const sessions = defineResource({
  name: 'session',
  plural: 'sessions',
  about:
    'A sign-in of a consumer in one app or on the share pages, with its tokens, which end together. Removing it signs the consumer out there.',
  access: { consumer: ['list', 'get', 'remove'] },
  within: consumers,
  operations: ['list', 'get', 'remove'],
  history: { quiet: ['refreshed_at', 'expires_at'] },
  fields: {
    consumer_id: id({ about: 'Who signed in.', computed: true, always: true }),
    app_id: id({ about: 'The app; null for the share pages.', computed: true }),
    app_title: text({ about: 'Its name at the time.', computed: true, always: true }),
    device_id: id({ about: 'The linked device it came from, if any.', computed: true }),
    scope: text({ about: 'What its tokens may do.', computed: true, always: true }),
    ip: text({ about: 'The network address it was last renewed from.', computed: true }),
    user_agent: text({ about: 'The user agent.', computed: true }),
    refreshed_at: timestamp({
      about: 'When its tokens were last renewed.',
      computed: true,
      always: true,
      sort: true,
    }),
    expires_at: timestamp({
      about: 'When it expires unless it is renewed.',
      computed: true,
      always: true,
    }),
  },
  order: { sort: 'refreshed_at', order: 'desc' },
})
