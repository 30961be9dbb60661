import { type Fragment, run, sql } from '../../db/fragment.js'
import { invalid } from '../../errors.js'
import type { Answer, Call } from '../../resources/feature.js'
import { readFlag } from '../../resources/filters.js'
import { list } from '../../resources/list.js'

/** What a channel's rules are about, and what they say of everything else. */
interface ChannelRules {
  readonly is_ruled: boolean
  readonly playlist_ids: readonly string[]
  readonly category_ids: readonly string[]
  readonly at_large: string | null
}

/** A list that leaves out, with dpt=true, what the content rules keep from whoever asks. Then it is never kept: rules change without it. */
export const listAllowed =
  (allowed: (call: Call) => Promise<Fragment | undefined>, among?: Fragment) =>
  async (call: Call): Promise<Answer> => {
    if (!leavesOut(call)) return list(call, among)
    const { json } = await list(call, both(among, await allowed(call)))
    return { json }
  }

const both = (one: Fragment | undefined, other: Fragment | undefined): Fragment | undefined =>
  one && other ? sql`${one} and ${other}` : (one ?? other)

function leavesOut({ query }: Call): boolean {
  if (query.dpt === undefined || query.dpt === '') return false
  const asked = readFlag(String(query.dpt))
  if (asked === undefined) throw invalid('dpt must be true or false.', { dpt: ['must be true or false'] })
  return asked
}

/** The videos that rules let the caller watch: those that no rule is about are not tried one by one. Nothing where all are. */
export async function videosAllowed(call: Call): Promise<Fragment | undefined> {
  const rules = await rulesFor(call)
  if (!rules) return undefined
  const { site_id } = call.scope
  const { playlist_ids, category_ids, at_large } = rules
  return sql`case when content_rule_profile_id is not null
      or related_playlist_ids && ${playlist_ids}::text[] or category_ids_in(categories) && ${category_ids}::text[]
      or videos._id in (select video_id from video_content_rules as rules where rules.site_id = ${site_id})
    then coalesce(content_verdict(videos, ${viewerOf(call)}::text::jsonb), '') = '' else ${!at_large}::boolean end`
}

/** The playlists whose rules, and those of the playlists above, let the caller watch. Nothing where all do. */
export async function playlistsAllowed(call: Call): Promise<Fragment | undefined> {
  const rules = await rulesFor(call)
  return rules && sql`coalesce(playlist_verdict(playlists, ${viewerOf(call)}::text::jsonb), '') = ''`
}

async function rulesFor(call: Call): Promise<ChannelRules | undefined> {
  if (!leavesOut(call)) return undefined
  const { site_id } = call.scope
  const [rules] = await run<ChannelRules>(
    call.parts.database.db,
    sql`
    select * from rules_of_channel(${site_id}, ${viewerOf(call)}::text::jsonb)
    where not exists (
      select from consumers where site_id = ${site_id} and _id = ${call.principal.consumerId ?? ''} and super_watcher
    )
  `,
  )
  return rules?.is_ruled ? rules : undefined
}

const viewerOf = ({ surroundings, principal }: Call): string =>
  JSON.stringify({ ...surroundings(), app_id: principal.appId ?? '' })
