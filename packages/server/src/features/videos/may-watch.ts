import { type Fragment, sql } from '../../db/fragment.js'
import { forbidden } from '../../errors.js'

/** What a video asks of those who watch it. */
export interface Terms {
  readonly registration_required?: boolean | null
  readonly subscription_required?: boolean | null
  readonly pass_required?: boolean | null
  readonly purchase_required?: boolean | null
  readonly rental_required?: boolean | null
  readonly redemption_code_required?: boolean | null
}

/** What a consumer has. */
export interface Entitlements {
  readonly super_watcher: boolean
  readonly subscribes: boolean
  readonly has_pass: boolean
  readonly is_entitled: boolean
}

/** Why somebody may not watch: for a program, and in words. */
export interface Refusal {
  readonly code: string
  readonly message: string
}

/** The ways to pay, each enough by itself, and what a viewer does to go it. */
const ways = {
  subscription_required: 'subscribe',
  pass_required: 'get a pass',
  purchase_required: 'buy it',
  rental_required: 'rent it',
  redemption_code_required: 'redeem a code for it',
} as const satisfies Partial<Record<keyof Terms, string>>
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

export const isForEverybody = (terms: Terms): boolean =>
  !terms.registration_required && wayNames.every((way) => !terms[way])

/** Whether somebody may watch a video; `entitlements` is missing for those who have not signed in. */
export function refusalOf(terms: Terms, entitlements: Entitlements | undefined): Refusal | undefined {
  if (isForEverybody(terms) || entitlements?.super_watcher) return undefined
  const asked = wayNames.filter((way) => terms[way])
  const [first] = asked
  if (!first)
    return entitlements
      ? undefined
      : { code: 'registration_required', message: 'Sign in to watch this video.' }
  if (entitlements && opens(terms, entitlements)) return undefined
  const needed = `To watch this video, ${either(asked.map((way) => ways[way]))}.`
  return { code: first, message: entitlements ? needed : `${needed} If you have, sign in.` }
}

const opens = (terms: Terms, { is_entitled, subscribes, has_pass }: Entitlements) =>
  is_entitled || (subscribes && terms.subscription_required) || (has_pass && terms.pass_required)

const either = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Part of a statement that reads videos: what a consumer has that opens each. Nobody has signed in by an empty one. */
export const entitlementsColumn = (consumer_id: string): Fragment =>
  consumer_id === ''
    ? sql`null::json`
    : sql`(
        select to_json(standing)
        from standing_of(videos.site_id, ${consumer_id}, videos._id, related_playlist_ids) as standing
      )`

/** Refuses whoever may not watch. */
export function checkMayWatch(terms: Terms, entitlements: Entitlements | undefined): void {
  const refusal = refusalOf(terms, entitlements)
  if (refusal) throw forbidden(refusal.message, refusal.code)
}
