import { publishes } from '@zoetrope/contract'
import { watcherOf } from '../../auth/access.js'
import { type Fragment, sql } from '../../db/fragment.js'
import { forbidden, invalid, notFound } from '../../errors.js'
import type { Call } from '../../resources/feature.js'
import { withinScope } from '../../resources/store.js'

/** What a video requires of its viewers. */
export interface Terms {
  readonly registration_required?: boolean | null
  readonly subscription_required?: boolean | null
  readonly pass_required?: boolean | null
  readonly purchase_required?: boolean | null
  readonly rental_required?: boolean | null
  readonly redemption_code_required?: boolean | null
}

/** What a consumer is entitled to. */
export interface Entitlements {
  readonly super_watcher: boolean
  readonly subscribes: boolean
  readonly has_pass: boolean
  readonly is_entitled: boolean
}

/** Why a viewer may not watch: a code for programs, and a message for people. */
interface Refusal {
  readonly code: string
  readonly message: string
}

/** The ways to get access, each with what the viewer has to do. Any one of them is enough. */
const ways = {
  subscription_required: 'subscribe',
  pass_required: 'get a pass',
  purchase_required: 'buy it',
  rental_required: 'rent it',
  redemption_code_required: 'redeem a code for it',
} as const satisfies Partial<Record<keyof Terms, string>>
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

/** Whether a refusal with this code ends when the viewer signs in or pays. */
export const isPayment = (code: string): boolean =>
  code === 'registration_required' || Object.hasOwn(ways, code)

export const isForEverybody = (terms: Terms): boolean =>
  !terms.registration_required && wayNames.every((way) => !terms[way])

/** Returns why a viewer may not watch, if so. `entitlements` is undefined for viewers who are not signed in. */
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

/** A column for queries on videos: the consumer's entitlements to each. An empty id means not signed in. */
export const entitlementsColumn = (consumer_id: string): Fragment =>
  consumer_id === ''
    ? sql`null::json`
    : sql`(
        select to_json(entitlement)
        from entitlement_status(videos.site_id, ${consumer_id}, videos._id, related_playlist_ids) as entitlement
      )`

/** Throws 403 if the viewer may not watch. */
export function checkMayWatch(terms: Terms, entitlements: Entitlements | undefined): void {
  const refusal = refusalOf(terms, entitlements)
  if (refusal) throw forbidden(refusal.message, refusal.code)
}

/** Returns 200 if the consumer may watch, and an error otherwise. Apps check only the status code. */
export async function entitled({ parts, resource, principal, scope, id }: Call) {
  const isPublisher = publishes(principal.kind)
  const [video] = await parts.database.db<{ record: string; entitlements: Entitlements | null }[]>`
    select record, ${entitlementsColumn(watcherOf(principal))} as entitlements from videos
    where ${withinScope(resource, scope, isPublisher)} and _id = ${id}
  `
  if (!video) throw notFound(resource.name)
  const refusal = isPublisher
    ? undefined
    : refusalOf(JSON.parse(video.record), video.entitlements ?? undefined)
  if (refusal) throw invalid(refusal.message)
  return { json: JSON.stringify({ message: 'This video may be watched.' }) }
}
