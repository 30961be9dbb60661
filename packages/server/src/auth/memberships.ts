import type { Role } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { invalid } from '../errors.js'

/** A member of a channel. */
export interface Member {
  readonly site_id: string
  readonly publisher_id: string
}

/** Two owners who demote each other at once must not both succeed. */
const lockChannel = (tx: Db, site_id: string) => tx`select from channels where _id = ${site_id} for update`

async function checkOwnerStays(tx: Db, { site_id, publisher_id }: Member): Promise<void> {
  const [other] = await tx`
    select from memberships where site_id = ${site_id} and role = 'owner' and publisher_id <> ${publisher_id} limit 1
  `
  const [isOwner] = await tx`
    select from memberships where site_id = ${site_id} and role = 'owner' and publisher_id = ${publisher_id}
  `
  if (isOwner && !other)
    throw invalid('A channel keeps at least one owner. Make somebody else an owner first.', {
      role: ['is that of the only owner'],
    })
}

/** Changes a member's role, which an identity provider then no longer decides. False if there is no such member. */
export async function changeRole(tx: Db, member: Member, role: Role): Promise<boolean> {
  await lockChannel(tx, member.site_id)
  if (role !== 'owner') await checkOwnerStays(tx, member)
  const { count } = await tx`
    update memberships set role = ${role}, from_claims = false, updated_at = now()
    where site_id = ${member.site_id} and publisher_id = ${member.publisher_id}
  `
  return count > 0
}

/** Removes a member from a channel. An account without any channel is deleted. */
export async function removeMember(tx: Db, member: Member): Promise<boolean> {
  const { site_id, publisher_id } = member
  await lockChannel(tx, site_id)
  await checkOwnerStays(tx, member)
  const { count } = await tx`
    delete from memberships where site_id = ${site_id} and publisher_id = ${publisher_id}
  `
  await tx`
    delete from publishers where _id = ${publisher_id}
      and not exists (select from memberships where memberships.publisher_id = ${publisher_id})
  `
  return count > 0
}
