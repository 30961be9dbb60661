import { watcherOf } from '../../auth/access.js'
import { type Fragment, sql } from '../../db/fragment.js'
import type { Answer, Call } from '../../resources/feature.js'
import { list } from '../../resources/list.js'
import { flagIn } from '../../resources/projection.js'
import type { NarrowSearch } from '../../resources/search.js'

/**
 * With `dpt=true`, lists only what the content rules let the caller watch. This answer is not cached, because changed
 * rules do not change the version of the list.
 */
export const listAllowed =
  (allowed: (call: Call) => Promise<Fragment | undefined>, among?: Fragment, narrow?: NarrowSearch) =>
  async (call: Call): Promise<Answer> => {
    if (!leavesOut(call)) return list(call, among, narrow)
    const { version: _, ...answer } = await list(call, both(among, await allowed(call)))
    return answer
  }

/** Combines the conditions that are present. */
export const both = (one: Fragment | undefined, other: Fragment | undefined): Fragment | undefined =>
  one && other ? sql`${one} and ${other}` : (one ?? other)

const leavesOut = ({ query }: Call) => flagIn(query, 'dpt')

/** The effect of a rule on the caller and what the rule belongs to, in order of evaluation. */
interface Said {
  readonly kind: 'playlist' | 'category' | 'profile' | 'default'
  readonly source_id: string
  /** `open` and `shut` decide; `others` denies if no rule decides. */
  readonly says: 'open' | 'shut' | 'others' | null
  readonly stackable: boolean
}

interface ChannelRules {
  readonly said: readonly Said[]
  /** Whether single videos have rules of their own. */
  readonly has_own: boolean
  /** Playlists that name a profile. The default profile does not apply to what they contain. */
  readonly profiled: readonly string[]
}

/** SQL expressions for the playlists, profile and categories of a record. */
interface Around {
  readonly playlists: Fragment
  readonly profile: Fragment
  readonly categories: Fragment
  readonly verdict: (viewer: string) => Fragment
}

const ofVideo: Around = {
  playlists: sql`related_playlist_ids`,
  profile: sql`videos.content_rule_profile_id`,
  categories: sql`category_ids_in(categories)`,
  verdict: (viewer) => sql`coalesce(content_verdict(videos, ${viewer}::text::jsonb), '') = ''`,
}

const ofPlaylist: Around = {
  playlists: sql`playlist_line(playlists.site_id, playlists._id)`,
  profile: sql`null::text`,
  categories: sql`'{}'::text[]`,
  verdict: (viewer) => sql`coalesce(playlist_verdict(playlists, ${viewer}::text::jsonb), '') = ''`,
}

/**
 * A condition for the videos that the caller may watch; undefined if there is nothing to filter. Videos with rules of
 * their own are evaluated one by one.
 */
export async function videosAllowed(call: Call): Promise<Fragment | undefined> {
  const rules = await rulesFor(call)
  if (!rules) return undefined
  const inherited = allowedBy(rules, ofVideo, viewerOf(call))
  if (!rules.has_own) return inherited
  return sql`case when videos._id in (
      select video_id from video_content_rules as own where own.site_id = ${call.scope.site_id} and own.enabled
    ) then ${ofVideo.verdict(viewerOf(call))} else ${inherited ?? sql`true`} end`
}

/** Like `videosAllowed`, for playlists. The rules of a playlist's ancestors apply too. */
export async function playlistsAllowed(call: Call): Promise<Fragment | undefined> {
  const rules = await rulesFor(call)
  return rules && allowedBy(rules, ofPlaylist, viewerOf(call))
}

async function rulesFor(call: Call): Promise<ChannelRules | undefined> {
  if (!leavesOut(call)) return undefined
  const { site_id } = call.scope
  const [rules] = await call.parts.database.db<ChannelRules[]>`
    select coalesce((
        select json_agg(said) from rules_of_channel(${site_id}, ${viewerOf(call)}::text::jsonb) as said
      ), '[]') as said, exists (
        select from video_content_rules where site_id = ${site_id} and enabled
      ) as has_own, array(
        select _id from playlists where site_id = ${site_id} and content_rule_profile_id is not null
      ) as profiled
    where not exists (
      select from consumers where site_id = ${site_id} and _id = ${watcherOf(call.principal)} and super_watcher
    )
  `
  return rules
}

const viewerOf = ({ surroundings, principal }: Call): string =>
  JSON.stringify({ ...surroundings(), app_id: principal.appId ?? '' })

const mostSteps = 100

/**
 * A condition on many records that decides as `verdict_of()` does for one: the first deciding rule that applies to a
 * record counts. Each rule is evaluated only once. If a rule is not stackable, or there are too many steps, records
 * with any rule are evaluated one by one.
 */
function allowedBy({ said, profiled }: ChannelRules, around: Around, viewer: string): Fragment | undefined {
  if (said.length === 0) return undefined
  const steps = inSteps(said.filter(({ says }) => says === 'open' || says === 'shut'))
  if (steps.length > mostSteps || said.some(({ stackable }) => !stackable))
    return sql`(not ${isAround(said, around, profiled)} or ${around.verdict(viewer)})`
  const others = said.filter(({ says }) => says === 'others')
  const cases = steps.reduce(
    (before, step) =>
      sql`${before} when ${isAround(step, around, profiled)} then ${step[0]?.says === 'open'}::boolean`,
    sql`case when false then false`,
  )
  return sql`${cases} else not ${isAround(others, around, profiled)} end`
}

/** Groups adjacent rules with the same effect. */
function inSteps(said: readonly Said[]): readonly (readonly Said[])[] {
  const steps: Said[][] = []
  for (const each of said) {
    const last = steps.at(-1)
    if (last?.[0]?.says === each.says) last.push(each)
    else steps.push([each])
  }
  return steps
}

/** A condition for the records that any of these rules applies to. */
function isAround(said: readonly Said[], around: Around, profiled: readonly string[]): Fragment {
  const on = (kind: Said['kind']) => [
    ...new Set(said.filter((each) => each.kind === kind).map(({ source_id }) => source_id)),
  ]
  const [playlists, categories, profiles] = [on('playlist'), on('category'), on('profile')]
  const tests = [
    ...(playlists.length > 0 ? [sql`${around.playlists} && ${playlists}::text[]`] : []),
    ...(profiles.length > 0 ? [sql`coalesce(${around.profile} = any(${profiles}::text[]), false)`] : []),
    ...(categories.length > 0 ? [sql`${around.categories} && ${categories}::text[]`] : []),
    ...(on('default').length > 0
      ? [sql`${around.profile} is null and not ${around.playlists} && ${profiled}::text[]`]
      : []),
  ]
  return sql`(${tests.reduce((left, right) => sql`${left} or ${right}`, sql`false`)})`
}
