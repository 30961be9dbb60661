import type { InvitationSeen, PublisherSession, Role } from '@zoetrope/contract'
import { namesOf } from '../auth/identity-accounts.js'
import type { Db } from '../db/database.js'
import { explaining } from '../db/violation.js'
import { ApiError, invalid } from '../errors.js'
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
}

async function findInvitation(db: Db, { parts, params }: PublisherRequest): Promise<OpenInvitation> {
  const [found] = await db<OpenInvitation[]>`
    select invitations._id, site_id, title as channel, email, role, expires_at
    from invitations join channels using (site_id)
    where digest = ${parts.sealer.digest(params.token ?? '')} and expires_at > now()
  `
  if (found) return found
  throw new ApiError(404, 'This invitation has expired, was used or was taken back. Ask for another one.')
}

export async function showInvitation(visit: PublisherRequest): Promise<EndpointResult<InvitationSeen>> {
  const { _id, site_id: _, ...shown } = await findInvitation(visit.parts.database.db, visit)
  return { body: shown }
}

/**
 * Existing accounts confirm their password; new ones choose one. Both end up signed in. A password too short for any account is
 * refused first: it would tell whether there is one.
 */
export async function acceptInvitation(visit: PublisherRequest): Promise<EndpointResult<PublisherSession>> {
  refusePasswords(visit)
  const { parts, body } = visit
  const password = newPasswordIn(body)
  const invitation = await findInvitation(parts.database.db, visit)
  const { email } = invitation
  const [account] = await parts.database.db`select from publishers where lower(email) = ${email}`
  if (account) {
    const known = await recognise({ ...visit, body: { ...body, email } })
    if ('status' in known) return known
    await parts.database.transaction((tx) => join(tx, invitation, known._id))
    return enter(visit, known)
  }
  const names = namesOf(optionalText(body, 'name'))
  const password_hash = await parts.passwords.hash(password)
  const { _id } = invitation
  const joining = parts.database.transaction(async (tx) => {
    await makeAccount(tx, invitation, names, password_hash)
    await join(tx, invitation, _id)
  })
  await explaining(joining, 'unique', () =>
    invalid('This address got an account a moment ago. Accept the invitation with its password.'),
  )
  return enter(visit, { _id, email, password_hash, totp_enabled: false }, false)
}

/** The account has the id of the invitation, under which the API has shown the person so far. */
async function makeAccount(
  tx: Db,
  { _id, site_id }: OpenInvitation,
  { first_name, last_name }: ReturnType<typeof namesOf>,
  password_hash: string,
): Promise<void> {
  await tx`
    insert into publishers (
      _id, email, password_hash, first_name, last_name, phone_number, time_zone, notifications_enabled
    )
    select _id, email, ${password_hash}, coalesce(${first_name}, first_name),
      case when ${first_name}::text is null then last_name else ${last_name} end,
      phone_number, time_zone, notifications_enabled
    from invitations where site_id = ${site_id} and _id = ${_id}
  `
}

/** An invitation can be used once. */
async function join(tx: Db, { _id, site_id, role }: OpenInvitation, publisher_id: string): Promise<void> {
  await tx`
    insert into memberships ${tx({ publisher_id, site_id, role })} on conflict (publisher_id, site_id) do nothing
  `
  const { count } = await tx`delete from invitations where site_id = ${site_id} and _id = ${_id}`
  if (count === 0) throw new ApiError(404, 'This invitation was used a moment ago.')
}
