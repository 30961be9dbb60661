import type { Db } from '../../db/database.js'
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
export interface Standing {
  readonly super_watcher: boolean
  readonly subscribes: boolean
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

/** Whether somebody may watch a video; `standing` is missing for those who have not signed in. */
export function refusalOf(terms: Terms, standing: Standing | undefined): Refusal | undefined {
  if (isForEverybody(terms) || standing?.super_watcher) return undefined
  const asked = wayNames.filter((way) => terms[way])
  const [first] = asked
  if (!first)
    return standing ? undefined : { code: 'registration_required', message: 'Sign in to watch this video.' }
  if (standing?.is_entitled || (standing?.subscribes && terms.subscription_required)) return undefined
  const needed = `To watch this video, ${either(asked.map((way) => ways[way]))}.`
  return { code: first, message: standing ? needed : `${needed} If you have, sign in.` }
}

const either = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Why this viewer may not watch this video at this moment; an empty consumer has not signed in. */
export async function whyNotWatch(
  db: Db,
  video: Terms & { readonly _id: string },
  { site_id, consumer_id }: { readonly site_id: string; readonly consumer_id: string },
): Promise<Refusal | undefined> {
  if (isForEverybody(video) || consumer_id === '') return refusalOf(video, undefined)
  const [standing] = await db<Standing[]>`
    select * from standing_of(${site_id}, ${consumer_id}, ${video._id})
  `
  return refusalOf(video, standing)
}

/** Part of a statement that reads videos: the standing of a consumer to each, or null. */
export const standingColumn = (consumer_id: string): Fragment =>
  consumer_id === ''
    ? sql`null::json`
    : sql`(select to_json(standing) from standing_of(site_id, ${consumer_id}, _id) as standing)`

/** Refuses whoever may not watch. */
export function checkMayWatch(terms: Terms, standing: Standing | undefined): void {
  const refusal = refusalOf(terms, standing)
  if (refusal) throw forbidden(refusal.message, refusal.code)
}
