import { roles as knownRoles, type Role } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { isId, newId } from '../lib/object-id.js'
import { replacePassword } from './publisher-passwords.js'

/** A person as the identity provider describes them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** In lower case, and verified by the provider. */
  readonly email: string
  readonly name: string | undefined
  readonly roles: readonly ClaimedRole[]
}

/** A role in one channel, or in every channel of the installation. */
export interface ClaimedRole {
  readonly site_id: string | 'every'
  readonly role: Role
}

/** A publisher who may sign in without a password. */
export interface IdentifiedPublisher {
  readonly _id: string
  readonly email: string
  readonly password_hash: string | null
  /** Whether this sign-in took the account over and removed its password. */
  readonly isTakenOver?: boolean
}

/** Why an identity is not let in: it has no role in any channel, or its address belongs to another identity. */
export type NotAdmitted = 'no_role' | 'taken'

/** Reads the values of a claim: `editor` counts in every channel, `<channel id>:editor` in one. Ignores other values. */
export function claimedRoles(claim: unknown): readonly ClaimedRole[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.flatMap((value): ClaimedRole[] => {
    if (typeof value !== 'string') return []
    const [first = '', second, ...more] = value.split(':')
    if (more.length > 0) return []
    if (second === undefined) return isRole(first) ? [{ site_id: 'every', role: first }] : []
    return isId(first) && isRole(second) ? [{ site_id: first, role: second }] : []
  })
}

/**
 * Finds or makes the account of an identity, and gives it the roles it has now. If the identity is not let in, roles may
 * have been taken away all the same, so the caller commits in either case.
 */
export async function admitIdentity(tx: Db, identity: Identity): Promise<IdentifiedPublisher | NotAdmitted> {
  const roles = await rolesByChannel(tx, identity.roles)
  const found = (await linkedAccount(tx, identity)) ?? (await takeOverAccount(tx, identity))
  if (found === 'taken') return found
  if (!found && roles.length === 0 && !(await isInvited(tx, identity.email))) return 'no_role'
  const publisher = found ?? (await makeAccount(tx, identity))
  await tx`
    insert into publisher_identities (issuer, subject, publisher_id)
    values (${identity.issuer}, ${identity.subject}, ${publisher._id}) on conflict (issuer, subject) do nothing
  `
  await acceptInvitations(tx, identity.email, publisher._id)
  await renewRoles(tx, publisher._id, roles)
  const [membership] = await tx`select from memberships where publisher_id = ${publisher._id} limit 1`
  return membership ? publisher : 'no_role'
}

async function linkedAccount(
  tx: Db,
  { issuer, subject }: Identity,
): Promise<IdentifiedPublisher | undefined> {
  const [found] = await tx<IdentifiedPublisher[]>`
    select _id, email, password_hash from publisher_identities join publishers on _id = publisher_id
    where issuer = ${issuer} and subject = ${subject}
  `
  return found
}

/**
 * The account with this address. Nobody had verified the address until now, so somebody else may have prepared the
 * account: everything that opens it is removed.
 */
async function takeOverAccount(
  tx: Db,
  { email, issuer }: Identity,
): Promise<IdentifiedPublisher | 'taken' | undefined> {
  const [found] = await tx<{ _id: string; email: string; isTaken: boolean }[]>`
    select _id, email, exists (
      select from publisher_identities where publisher_id = _id and issuer = ${issuer}
    ) as "isTaken"
    from publishers where lower(email) = ${email} for update
  `
  if (!found || found.isTaken) return found && 'taken'
  const { _id } = found
  await replacePassword(tx, { publisher_id: _id, password_hash: null, removesSecondFactor: true })
  await tx`delete from publisher_identities where publisher_id = ${_id}`
  await tx`delete from publisher_addresses where publisher_id = ${_id}`
  return { _id, email: found.email, password_hash: null, isTakenOver: true }
}

async function makeAccount(tx: Db, { email, name }: Identity): Promise<IdentifiedPublisher> {
  const _id = newId()
  await tx`insert into publishers ${tx({ _id, email, ...namesOf(name) })}`
  return { _id, email, password_hash: null }
}

/** Splits a full name into the columns of an account. */
export function namesOf(name = '') {
  const [first, ...rest] = name.trim().split(/\s+/)
  return { first_name: first || null, last_name: rest.join(' ') || null }
}

async function isInvited(tx: Db, email: string): Promise<boolean> {
  const [open] = await tx`select from invitations where email = ${email} and expires_at > now() limit 1`
  return open !== undefined
}

/** The provider has verified the address, which is all that the link of an invitation would prove. */
async function acceptInvitations(tx: Db, email: string, publisher_id: string): Promise<void> {
  await tx`
    with accepted as (
      delete from invitations where email = ${email} and expires_at > now() returning site_id, role, created_at
    )
    insert into memberships (publisher_id, site_id, role)
    select distinct on (site_id) ${publisher_id}, site_id, role from accepted order by site_id, created_at desc
    on conflict (publisher_id, site_id) do nothing
  `
}

interface ChannelRole {
  readonly site_id: string
  readonly role: Role
}

const rank = Object.keys(knownRoles)
const isRole = (value: string): value is Role => rank.includes(value)

/** One role for each existing channel: the highest of those that the provider names. */
async function rolesByChannel(tx: Db, claimed: readonly ClaimedRole[]): Promise<readonly ChannelRole[]> {
  const named = claimed.map(({ site_id }) => site_id)
  const channels = await tx<{ site_id: string }[]>`
    select _id as site_id from channels where ${named.includes('every')} or _id = any(${named})
  `
  const highest = [...claimed].sort((a, b) => rank.indexOf(a.role) - rank.indexOf(b.role))
  return channels.flatMap(({ site_id }) => {
    const found = highest.find((each) => each.site_id === site_id || each.site_id === 'every')
    return found ? [{ site_id, role: found.role }] : []
  })
}

/**
 * Renews the roles that came from the provider and ends those that it no longer names. The only owner of a channel
 * stays, because nobody else could let others in.
 */
async function renewRoles(tx: Db, publisher_id: string, roles: readonly ChannelRole[]): Promise<void> {
  const channels = roles.map(({ site_id }) => site_id)
  await tx`
    select from channels where _id = any(${channels}) or _id in (
      select site_id from memberships where publisher_id = ${publisher_id} and from_claims
    ) order by _id for update
  `
  const otherOwner = tx`
    exists (
      select from memberships as other
      where other.site_id = memberships.site_id and other.role = 'owner' and other.publisher_id <> ${publisher_id}
    )
  `
  await tx`
    delete from memberships
    where publisher_id = ${publisher_id} and from_claims and site_id <> all(${channels})
      and (role <> 'owner' or ${otherOwner})
  `
  for (const { site_id, role } of roles)
    await tx`
      insert into memberships (publisher_id, site_id, role, from_claims)
      values (${publisher_id}, ${site_id}, ${role}, true)
      on conflict (publisher_id, site_id) do update set role = excluded.role, updated_at = now()
      where memberships.from_claims and memberships.role <> excluded.role
        and (memberships.role <> 'owner' or ${otherOwner})
    `
}
