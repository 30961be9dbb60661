import type { InvitationSeen, PublisherSession, Role } from '@zoetrope/contract'
import { namesOf } from '../auth/identity-accounts.js'
import type { Db } from '../db/database.js'
import { ApiError, invalid } from '../errors.js'
import { newId } from '../lib/object-id.js'
import { optionalText } from './fields.js'
import { refusePasswords } from './oidc.js'
import { newPasswordIn } from './password.js'
import type { EndpointResult, PublisherRequest } from './request.js'
import { enter, recognise } from './session.js'

interface OpenInvitation {
  readonly _id: string
  readonly site_id: string
  readonly channel: string
  readonly email: string
  readonly role: Role
  readonly expires_at: Date
  /** The invited address already has an account that somebody signs in to. */
  readonly has_account: boolean
}

async function findInvitation(db: Db, { parts, params }: PublisherRequest): Promise<OpenInvitation> {
  const [found] = await db<OpenInvitation[]>`
    select invitations._id, site_id, title as channel, invitations.email, role, invitations.expires_at,
      password_hash is not null or exists (
        select from publisher_identities where publisher_id = publishers._id
      ) as has_account
    from invitations join channels using (site_id)
    left join publishers on lower(publishers.email) = invitations.email
    where digest = ${parts.sealer.digest(params.token ?? '')} and invitations.expires_at > now()
  `
  if (found) return found
  throw new ApiError(404, 'This invitation has expired, was used or was taken back. Ask for another one.')
}

export async function showInvitation(visit: PublisherRequest): Promise<EndpointResult<InvitationSeen>> {
  const { _id, site_id: _, ...shown } = await findInvitation(visit.parts.database.db, visit)
  return { body: shown }
}

/** Existing accounts confirm their password; new ones choose one. Both end up signed in. */
export async function acceptInvitation(visit: PublisherRequest): Promise<EndpointResult<PublisherSession>> {
  refusePasswords(visit)
  const { parts, body } = visit
  const invitation = await findInvitation(parts.database.db, visit)
  const { email } = invitation
  if (invitation.has_account) {
    const known = await recognise({ ...visit, body: { ...body, email } })
    if ('status' in known) return known
    await parts.database.transaction((tx) => join(tx, invitation, known._id))
    return enter(visit, known)
  }
  const name = optionalText(body, 'name')
  const password_hash = await parts.passwords.hash(newPasswordIn(body))
  const _id = await parts.database.transaction(async (tx) => {
    const publisher_id = await makeAccount(tx, invitation, namesOf(name), password_hash)
    await join(tx, invitation, publisher_id)
    return publisher_id
  })
  return enter(visit, { _id, email, password_hash, totp_enabled: false }, false)
}

/**
 * An account still waiting for its first password in another channel must not get it from this channel's
 * link.
 */
async function makeAccount(
  tx: Db,
  { email, site_id }: OpenInvitation,
  names: ReturnType<typeof namesOf>,
  password_hash: string,
): Promise<string> {
  const [waiting] = await tx<{ _id: string }[]>`
    select _id from publishers where lower(email) = ${email} for update
  `
  if (!waiting) {
    const _id = newId()
    await tx`insert into publishers ${tx({ _id, email, password_hash, ...names })}`
    return _id
  }
  const { count } = await tx`
    update publishers set password_hash = ${password_hash}, password_changed_at = now(), updated_at = now(),
      first_name = coalesce(${names.first_name}, first_name), last_name = coalesce(${names.last_name}, last_name)
    where _id = ${waiting._id} and password_hash is null
      and not exists (select from publisher_identities where publisher_id = ${waiting._id})
      and not exists (select from memberships where publisher_id = ${waiting._id} and site_id <> ${site_id})
  `
  if (count > 0) return waiting._id
  throw invalid('Another channel has invited this address before. Accept that invitation first.')
}

/** An invitation can be used once. */
async function join(tx: Db, { _id, site_id, role }: OpenInvitation, publisher_id: string): Promise<void> {
  const { count } = await tx`delete from invitations where site_id = ${site_id} and _id = ${_id}`
  if (count === 0) throw new ApiError(404, 'This invitation was used a moment ago.')
  await tx`
    insert into memberships ${tx({ publisher_id, site_id, role })} on conflict (publisher_id, site_id) do nothing
  `
}
