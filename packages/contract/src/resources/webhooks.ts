import { choice, flag, id, integer, list, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

export const webhooks = defineResource({
  name: 'webhook',
  plural: 'webhooks',
  about:
    'An address of yours that is sent the events of the channel as they happen, signed as Standard Webhooks defines it. Events may come more than once and in any order.',
  access: {},
  roles: ['owner'],
  // Its receiver gets every kind of record, and goes on when the key that made it has ended.
  namedKeys: 'never',
  confirmed: { create: true, update: ['url', 'events', 'active'] },
  history: {
    hidden: ['previous_secret_until'],
    quiet: ['failing_since', 'last_delivered_at'],
    milestones: { rotated: { about: 'A webhook has a new secret.', when: 'sealed_secret changed' } },
  },
  fields: {
    url: text({
      about:
        'The address that receives a POST for each event: http or https, on the public internet unless the operator allows its network.',
      required: true,
      maxLength: 2000,
      format: 'url',
      filter: ['is'],
    }),
    events: list(text({ about: 'A type, or a pattern with *.', maxLength: 100 }), {
      about:
        'The types of event that are sent: video.created, or patterns such as video.* and *.deleted. * for all. At least one.',
      required: true,
      item: 'event',
      maxItems: 100,
    }),
    description: text({ about: 'What it is for.', maxLength: 500 }),
    active: flag({
      about:
        'Whether events are sent. It is switched off automatically after five days of failures, and when the receiver answers 410.',
      default: true,
      filter: ['is'],
    }),
    failing_since: timestamp({
      about: 'When the first of the latest failures was; null while deliveries succeed.',
      computed: true,
    }),
    switched_off_reason: text({
      about: 'Why it was switched off automatically; null otherwise.',
      computed: true,
      maxLength: 2000,
    }),
    last_delivered_at: timestamp({ about: 'When a delivery last succeeded, to the minute.', computed: true }),
    previous_secret_until: timestamp({
      about: 'Until when the secret before the current one signs too.',
      computed: true,
    }),
    secret: text({
      about:
        'The secret that signs deliveries. Shown when the webhook is created and when the secret is rotated; null otherwise.',
      computed: true,
      derived: true,
      once: true,
    }),
  },
  actions: {
    test: {
      method: 'POST',
      about:
        'Sends an event of the type webhook.test to this webhook only. Its delivery is among the deliveries of the webhook.',
      access: {},
    },
    rotate_secret: {
      method: 'POST',
      about:
        'Makes a new secret and shows it. For 24 hours deliveries carry two signatures, one with each secret.',
      access: {},
      confirmed: true,
    },
    replay: {
      method: 'POST',
      about:
        'Sends the events of a range of time, also those that it was sent before or missed while it was switched off.',
      access: {},
      confirmed: true,
      answers: 'message',
      body: {
        from: timestamp({ about: 'The beginning of the range.', required: true }),
        to: timestamp({ about: 'The end of the range; now if absent.' }),
        failed_only: flag({ about: 'Leaves out events that were delivered.' }),
      },
    },
  },
})

export const webhookDeliveries = defineResource({
  name: 'webhook_delivery',
  plural: 'webhook_deliveries',
  path: 'deliveries',
  about:
    'The delivery of an event to a webhook, with its attempts. What the receiver answered is not kept, only its status.',
  access: {},
  roles: ['owner'],
  namedKeys: 'never',
  within: webhooks,
  operations: ['list', 'get'],
  fields: {
    webhook_id: id({ about: 'The webhook.', computed: true, always: true }),
    // No reference: the delivery may be kept longer than the event.
    event_id: text({ about: 'The event.', computed: true, always: true, maxLength: 24, filter: ['is'] }),
    event_type: text({ about: 'The type of the event.', computed: true, always: true, filter: ['is'] }),
    status: choice(['waiting', 'delivered', 'failed'], {
      about: 'waiting: it will be tried, or tried again. failed: every attempt failed.',
      computed: true,
      default: 'waiting',
      filter: ['is', 'not'],
    }),
    attempt_count: integer({ about: 'How often it was tried.', computed: true, default: 0 }),
    next_attempt_at: timestamp({ about: 'When it is tried next; null if it is not.', computed: true }),
    response_status: integer({ about: 'The HTTP status of the last answer.', computed: true, max: 999 }),
    milliseconds: integer({ about: 'How long the last attempt took.', computed: true }),
    error: text({ about: 'Why the last attempt failed.', computed: true, maxLength: 2000 }),
    delivered_at: timestamp({ about: 'When it succeeded.', computed: true }),
    attempts: objects(
      {
        at: timestamp({ about: 'When it began.' }),
        response_status: integer({ about: 'The HTTP status of the answer.', max: 999 }),
        milliseconds: integer({ about: 'How long it took.' }),
        error: text({ about: 'Why it failed.', maxLength: 2000 }),
      },
      { about: 'The attempts, the oldest first; the last 20.', item: 'attempt', maxItems: 20 },
    ),
  },
  actions: {
    retry: { method: 'POST', about: 'Sends it again now, with all its attempts.', access: {} },
  },
})
