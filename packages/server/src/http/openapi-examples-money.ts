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
  pass_plan: { name: 'A weekend', amount: '2.50', currency: 'USD', duration: 2 },
  revenue_model: { name: 'Rental', description: 'Viewers rent the video for some days.' },
  ad_tag: { name: 'Before the film', _type: 'AdTag::Vast', tag: 'https://ads.example/vast' },
}
