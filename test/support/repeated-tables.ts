import { catalog } from '@zoetrope/contract'
import {
  accessTable,
  attemptsTable,
  errorsTable,
  eventsTable,
  fieldsTable,
  filtersTable,
  formatsTable,
  keyScopesTable,
  limitsTable,
  scopesTable,
  sdkTable,
  settingsTable,
} from './docs-tables.js'

interface RepeatedTable {
  readonly what: string
  readonly page: string
  /** Exactly as it must appear in the page. */
  readonly table: string
}

/** Tables of the documentation that repeat the code, and the page that contains each. */
export const repeatedTables: readonly RepeatedTable[] = [
  { what: 'every method of the SDK', page: 'docs/api/sdk.md', table: sdkTable() },
  { what: 'every setting', page: 'docs/guide/configure.md', table: settingsTable() },
  { what: 'every status and its code', page: 'docs/api/conventions.md', table: errorsTable() },
  { what: 'every type of event', page: 'docs/api/events.md', table: eventsTable() },
  { what: 'every limit', page: 'docs/api/conventions.md', table: limitsTable() },
  { what: 'who may make which request', page: 'docs/api/conventions.md', table: accessTable() },
  { what: 'every limit on attempts', page: 'docs/guide/sign-in-your-viewers.md', table: attemptsTable() },
  { what: 'every scope of an access token', page: 'docs/api/conventions.md', table: scopesTable() },
  { what: 'every scope of a named key', page: 'docs/api/keys.md', table: keyScopesTable() },
  ...(
    [
      ['docs/api/videos.md', catalog.videos],
      ['docs/api/video-versions.md', catalog.video_versions],
      ['docs/api/subtitles.md', catalog.subtitles],
      ['docs/api/subtitles.md', catalog.subtitle_playlists],
      ['docs/api/audio-tracks.md', catalog.audio_tracks],
      ['docs/api/segments.md', catalog.segments],
      ['docs/api/ad-timings.md', catalog.ad_timings],
      ['docs/api/self-hosted.md', catalog.self_hosted_sources],
      ['docs/api/content-rules.md', catalog.video_content_rules],
      ['docs/api/content-rules.md', catalog.playlist_content_rules],
      ['docs/api/content-rules.md', catalog.category_content_rules],
      ['docs/api/content-rules.md', catalog.content_rule_profiles],
      ['docs/api/categories.md', catalog.categories],
      ['docs/api/playlists.md', catalog.playlists],
      ['docs/api/video-sources.md', catalog.video_sources],
      ['docs/api/feeds.md', catalog.feeds],
      ['docs/api/feeds.md', catalog.feed_keys],
      ['docs/api/program-guides.md', catalog.program_guides],
      ['docs/api/program-guides.md', catalog.program_guide_entries],
      ['docs/api/zobjects.md', catalog.zobject_types],
      ['docs/api/zobjects.md', catalog.zobjects],
      ['docs/api/keys.md', catalog.keys],
      ['docs/api/webhooks.md', catalog.webhooks],
      ['docs/api/webhooks.md', catalog.webhook_deliveries],
      ['docs/api/site-users.md', catalog.users],
      ['docs/api/consumers.md', catalog.consumers],
      ['docs/api/consumers.md', catalog.video_favorites],
      ['docs/api/consumers.md', catalog.video_entitlements],
      ['docs/api/consumers.md', catalog.playlist_entitlements],
      ['docs/api/consumers.md', catalog.video_ratings],
      ['docs/api/plays.md', catalog.plays],
      ['docs/api/consumers.md', catalog.sessions],
      ['docs/api/devices.md', catalog.linked_devices],
      ['docs/api/kinds-of-device.md', catalog.devices],
      ['docs/api/kinds-of-device.md', catalog.device_categories],
      ['docs/api/imports.md', catalog.video_imports],
      ['docs/api/monetisation.md', catalog.plans],
      ['docs/api/monetisation.md', catalog.subscriptions],
      ['docs/api/monetisation.md', catalog.subscription_entitlements],
      ['docs/api/monetisation.md', catalog.transactions],
      ['docs/api/monetisation.md', catalog.redemption_codes],
      ['docs/api/monetisation.md', catalog.pass_plans],
      ['docs/api/monetisation.md', catalog.revenue_models],
      ['docs/api/monetisation.md', catalog.ad_tags],
    ] as const
  ).flatMap(([page, resource]) => [
    { what: `every field of ${resource.plural}`, page, table: fieldsTable(resource) },
    { what: `every filter of ${resource.plural}`, page, table: filtersTable(resource) },
  ]),
  { what: 'every size and bit rate', page: 'docs/guide/formats.md', table: formatsTable() },
  { what: 'every field of a place', page: 'docs/api/geoip.md', table: fieldsTable(catalog.geoip) },
  { what: 'every format', page: 'docs/api/settings.md', table: fieldsTable(catalog.formats) },
  { what: 'what formats cost', page: 'docs/api/settings.md', table: fieldsTable(catalog.format_costs) },
  { what: 'every field of an account', page: 'docs/api/account.md', table: fieldsTable(catalog.account) },
  { what: 'every field of a PIN', page: 'docs/api/devices.md', table: fieldsTable(catalog.pin) },
]

/** Replaces the table of a page that repeats this one: of those with the same head, the one with the most similar first column. */
export function withTable(text: string, table: string): string {
  if (text.includes(`\n\n${table}\n\n`)) return text
  const [head = ''] = table.split('\n')
  const names = firstCells(table)
  const tables = [...text.matchAll(/(?<=\n\n)\|.*?(?=\n\n)/gs)]
    .map(([old]) => old)
    .filter((old) => old.startsWith(`${head}\n`))
  const likeness = (old: string) => {
    const others = firstCells(old)
    return others.filter((name) => names.includes(name)).length / new Set([...names, ...others]).size
  }
  const [closest] = tables.sort((one, other) => likeness(other) - likeness(one))
  return closest === undefined ? text : text.replace(closest, () => table)
}

const firstCells = (table: string): string[] =>
  table
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ')[0] ?? '')
