import type { Db } from '../db/database.js'

/**
 * Whether a consumer with the right password may sign in: the password has not changed since, and the e-mail
 * address is confirmed if the channel requires it. Both are locked until the transaction ends.
 */
export async function checkAdmission(
  tx: Db,
  { site_id, consumer_id }: { readonly site_id: string; readonly consumer_id: string },
  isSame: (password_hash: string) => boolean,
): Promise<'admitted' | 'changed' | 'unverified'> {
  const [consumer] = await tx<{ password_hash: string | null; confirmed: boolean }[]>`
    select password_hash, email_verified_at is not null or not verify_email as confirmed
    from consumers join channels using (site_id)
    where site_id = ${site_id} and consumers._id = ${consumer_id}
    for no key update of consumers
  `
  if (!consumer?.password_hash || !isSame(consumer.password_hash)) return 'changed'
  return consumer.confirmed ? 'admitted' : 'unverified'
}
