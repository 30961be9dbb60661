import type { consumers } from '../resources/consumers.js'
import type { WordsOf } from './field-words.js'

/** Passwords that only the viewer types, and tokens for apps and feeds. */
type Hidden = 'password_confirmation' | 'current_password' | 'password_token' | 'rss_token' | 'remember_token'

export const consumerWords = {
  email: { label: 'E-mail address', help: 'The viewer signs in with it.' },
  password: {
    label: 'Password',
    help: 'Changing it signs the viewer out everywhere. Leave empty to keep it.',
  },
  name: { label: 'Full name', help: null },
  birthday: { label: 'Birthday', help: null },
  sex: { label: 'Gender', help: null },
  terms: { label: 'Accepted the terms', help: null },
  updates: { label: 'Wants news', help: 'Agreed to receive news by e-mail.' },
  parental_access_code: {
    label: 'Parental code',
    help: 'Apps ask for it before playing videos above the rating below.',
  },
  parental_access_rating: { label: 'Allowed age rating', help: 'Videos with a higher rating need the code.' },
  super_watcher: { label: 'Can watch everything', help: 'Ignores subscriptions, prices and audience rules.' },
  stripe_id: { label: 'Stripe customer ID', help: null },
  braintree_id: { label: 'Braintree customer ID', help: null },
  recurly_code: { label: 'Recurly account code', help: null },
  custom: { label: 'Custom attributes', help: 'Your own names and values, for your apps.' },
  subscription_count: { label: 'Subscriptions', help: null },
  current_sign_in_at: { label: 'Last signed in', help: null },
  created_at: { label: 'Signed up', help: null },
} as const satisfies WordsOf<typeof consumers, Hidden>
