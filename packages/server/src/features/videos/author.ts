import type { Principal } from '../../auth/principals.js'
import type { Db } from '../../db/database.js'

/** Who changes a video, as the trigger understands it that writes its versions. */
export const authorOf = ({ kind, publisherId }: Pick<Principal, 'kind' | 'publisherId'>): string =>
  publisherId ? `${kind} ${publisherId}` : kind

/** Says for a whole transaction who changes videos in it. */
export async function signFor(tx: Db, principal: Principal): Promise<void> {
  await tx`select set_config('zoetrope.author', ${authorOf(principal)}, true)`
}
