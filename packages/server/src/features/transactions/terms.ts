import type { Db } from '../../db/database.js'
import { invalid } from '../../errors.js'
import type { Values } from '../../resources/store.js'

const targets = ['video_id', 'playlist_id', 'pass_plan_id'] as const

/** Throws unless there is exactly one target, and the type matches it. */
export function checkTarget(name: string, given: Values): void {
  const bought = targets.filter((target) => typeof given[target] === 'string')
  if (bought.length !== 1)
    throw invalid(`Could not save ${name}: give exactly one of ${targets.join(', ')}.`, {
      [bought[1] ?? targets[0]]: [
        bought.length > 1 ? 'is one too many' : 'is required, or playlist_id, or pass_plan_id',
      ],
    })
  const isPass = given.pass_plan_id !== undefined && given.pass_plan_id !== null
  if (typeof given.transaction_type === 'string' && isPass !== (given.transaction_type === 'pass'))
    throw invalid(`Could not save ${name}: a pass, and nothing else, is bought with pass_plan_id.`, {
      transaction_type: [isPass ? 'must be pass' : 'must be purchase or rental'],
    })
}

/** The default duration of a rental in days: a rental always expires. */
const rentalDays = 2

/** Returns the type of a transaction and when its access expires. */
export async function termsOf(tx: Db, site_id: string, given: Values): Promise<Values> {
  const { pass_plan_id = null, video_id = null, playlist_id = null, transaction_type } = given
  if (pass_plan_id !== null) {
    const [pass] = await tx<{ expires_at: Date | null }[]>`
      select now() + make_interval(days => duration) as expires_at from pass_plans
      where site_id = ${site_id} and _id = ${String(pass_plan_id)}
    `
    return { transaction_type: 'pass', expires_at: pass?.expires_at ?? null }
  }
  if (transaction_type !== 'rental') return { transaction_type: 'purchase', expires_at: null }
  const [rented] = await tx<{ expires_at: Date }[]>`
    select now() + make_interval(days => coalesce(nullif(rental_duration, 0), ${rentalDays})) as expires_at from ${tx(video_id ? 'videos' : 'playlists')}
    where site_id = ${site_id} and _id = ${String(video_id ?? playlist_id)}
  `
  return { transaction_type: 'rental', expires_at: rented?.expires_at ?? null }
}
