import type { Principal } from '../auth/principals.js'
import type { Db } from '../db/database.js'

/** The author of a change, in the form that the trigger that writes versions stores. */
export const authorOf = ({ kind, publisherId }: Pick<Principal, 'kind' | 'publisherId'>): string =>
  publisherId ? `${kind} ${publisherId}` : kind

/** Names the author of every change to videos until the transaction ends. */
export async function signAs(tx: Db, author: string): Promise<void> {
  await tx`select set_config('zoetrope.author', ${author}, true)`
}
