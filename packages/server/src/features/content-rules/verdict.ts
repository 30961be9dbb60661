import type { Db } from '../../db/database.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { forbidden } from '../../errors.js'
import type { GeoLookup, KnownSurroundings } from '../../lib/surroundings.js'

/** The decision of the rules: null without rules, empty if the viewer may watch, otherwise the code of the refusal. */
export type Verdict = string | null

/** A column with the verdict, for queries on videos. Without rules in the channel it costs only index lookups. */
export const verdictColumn = (surroundings: KnownSurroundings | undefined): Fragment =>
  surroundings === undefined
    ? sql`null::text`
    : sql`case when ${hasRules}
        then content_verdict(videos, ${JSON.stringify(surroundings)}::text::jsonb) end`

const hasRules = sql`(
  exists (select from video_content_rules as rules where rules.site_id = videos.site_id)
  or exists (select from playlist_content_rules as rules where rules.site_id = videos.site_id)
  or exists (select from category_content_rules as rules where rules.site_id = videos.site_id)
  or exists (select from content_rule_profiles as profiles where profiles.site_id = videos.site_id)
)`

/** Returns those of the videos that have content rules. */
export async function ruledAmong(
  db: Db,
  site_id: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const ruled = await db<{ _id: string }[]>`
    select _id from videos where site_id = ${site_id} and _id = any(${ids}) and ${hasRules}
      and content_verdict(videos, '{}') is not null
  `
  return new Set(ruled.map(({ _id }) => _id))
}

const messages = {
  wrong_country: 'Its publisher does not show this video in your country.',
  wrong_place: 'Its publisher does not show this video where you are.',
  place_unknown: 'Its publisher shows this video in certain places only, and where you are is not known.',
  wrong_device: 'Its publisher does not show this video on this kind of device.',
  wrong_site: 'Its publisher shows this video on certain sites only, and this is not one of them.',
  wrong_time: 'Its publisher does not show this video at this time.',
  not_shown: 'Its publisher does not show this video.',
  not_told:
    'This address was made before rules said on which devices or sites this video is shown. Ask for the video again.',
} as const

const unknownCountry =
  'Its publisher shows this video in certain countries only, and in which one you are is not known.'

/** Throws if the rules do not let the viewer watch. */
export function checkVerdict(verdict: Verdict, geo: GeoLookup): void {
  if (!verdict) return
  if (verdict === 'country_unknown') {
    geo.noteUnknown()
    throw forbidden(unknownCountry, verdict)
  }
  throw forbidden(messages[verdict as keyof typeof messages] ?? messages.not_shown, verdict)
}
