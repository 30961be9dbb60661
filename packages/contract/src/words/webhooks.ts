import type { webhooks } from '../resources/webhooks.js'
import type { WordsOf } from './field-words.js'

export const webhookWords = {
  url: { label: 'Address', help: 'Where events are sent, for example https://hooks.example.com/zoetrope' },
  events: {
    label: 'Events',
    help: 'For example video.* for everything about videos, *.deleted for every deletion, * for everything.',
  },
  description: { label: 'Description', help: 'What receives the events.' },
  active: { label: 'Active', help: 'Send events to this address.' },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof webhooks>
