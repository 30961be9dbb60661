type Values = Readonly<Record<string, unknown>>

/** Sample values of what is sold and bought; what is not named here is empty. */
export const moneySamples: Readonly<Record<string, Values>> = {
  plan: {
    name: 'All of it',
    amount: '4.99',
    currency: 'USD',
    interval: 'month',
    interval_count: 1,
    entitlement_type: 'global',
    active: true,
  },
  subscription: {
    consumer_id: '65f0ada0000123456789abcd',
    plan_id: '65f0bada550123456789abcd',
    plan_name: 'All of it',
    amount: '4.99',
    currency: 'USD',
    interval: 'month',
    interval_count: 1,
    mrr: '4.99',
    current_period_end_at: '2026-04-12T19:04:46.000Z',
    payment_provider: 'third_party',
    third_party_id: 'sub-1042',
  },
  subscription_entitlement: {
    consumer_id: '65f0ada0000123456789abcd',
    plan_name: 'All of it',
    entitlement_type: 'global',
  },
  transaction: {
    provider: 'third_party',
    consumer_id: '65f0ada0000123456789abcd',
    video_id: '65f0bada550123456789abcd',
    transaction_type: 'purchase',
    amount: '9.99',
    third_party_id: 'order-1042',
  },
  redemption_code: {
    code: 'K7PQ2MWX9RTA4CHD',
    nice_code: 'K7PQ-2MWX-9RTA-4CHD',
    plan_id: '65f0bada550123456789abcd',
    content_type: 'plan',
    content_title: 'All of it',
    available: true,
  },
  video_rating: {
    consumer_id: '65f0ada0000123456789abcd',
    video_id: '65f0bada550123456789abcd',
    rating: 4.5,
  },
  playlist_entitlement: {
    consumer_id: '65f0ada0000123456789abcd',
    playlist_id: '65f0bada550123456789abcd',
    transaction_type: 'purchase',
  },
  pass_plan: { name: 'A weekend', amount: '2.50', currency: 'USD', duration: 2 },
  revenue_model: { name: 'Rental', description: 'Viewers rent the video for some days.' },
  ad_tag: { name: 'Before the film', _type: 'AdTag::Vast', tag: 'https://ads.example/vast' },
}
