type Values = Readonly<Record<string, unknown>>

const rule: Values = {
  name: 'At home',
  policy: 'allow',
  geographies: [{ _id: '65f0c0ffee0123456789abce', countries: ['DE', 'AT'] }],
}

/** Sample values of rules; what is not named here is empty. */
export const ruleSamples: Readonly<Record<string, Values>> = {
  video_content_rule: { ...rule, video_id: '65f0bada550123456789abcd' },
  playlist_content_rule: { ...rule, playlist_id: '65f0bada550123456789abcd' },
  category_content_rule: { ...rule, category_id: '65f0bada550123456789abcd' },
  content_rule_profile: {
    title: 'Europe',
    content_rules_attributes: [{ policy: 'allow', match_type: 'country', countries: ['DE', 'AT'] }],
  },
  geoip: {
    request: '192.0.2.1',
    ip: '192.0.2.1',
    country_code: 'DE',
    country_code2: 'DE',
    country_code3: 'DEU',
    country_name: 'Germany',
    continent_code: 'EU',
  },
}

/** What an example of a request sends. */
export const ruleInputs: Readonly<Record<string, readonly string[]>> = {
  video_content_rule: ['name', 'policy', 'geographies'],
  content_rule_profile: ['title', 'content_rules_attributes'],
  playlist_content_rule: ['name', 'policy', 'geographies'],
  category_content_rule: ['name', 'policy', 'geographies'],
}
