import { randomBytes } from 'node:crypto'
import type { Role } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { invalid } from '../errors.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'

const days = 7
const dayMs = 86_400_000
const mostOpen = 200

/** What an invitation is for, and what is known of the person. */
interface Invited {
  readonly site_id: string
  readonly email: string
  readonly role: Role
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly phone_number?: string | null
  readonly time_zone?: string | null
  readonly notifications_enabled?: boolean
}

export interface NewInvitation {
  readonly _id: string
  /** The token in the link; the database stores only its digest. */
  readonly token: string
  readonly expires_at: Date
}

export const newInvitationToken = () => randomBytes(32).toString('base64url')

/** Refuses an address of a member of the channel. Whether others have an account is never told. */
export async function refuseMember(tx: Db, site_id: string, email: string): Promise<void> {
  const [known] = await tx`
    select from memberships join publishers on publishers._id = publisher_id
    where site_id = ${site_id} and lower(email) = ${email}
  `
  if (known)
    throw invalid('This person is already a member of the channel.', {
      email: ['is already a member of the channel'],
    })
}

/** Invites someone to a channel. An earlier link for the same address stops working; what was known of the person stays. */
export async function invite(tx: Db, sealer: Sealer, invited: Invited): Promise<NewInvitation> {
  const { site_id, email } = invited
  await refuseMember(tx, site_id, email)
  const ended = await tx<Pick<Invited, 'email'>[]>`
    delete from invitations where site_id = ${site_id} and (email = ${email} or expires_at <= now())
    returning email, first_name, last_name, phone_number, time_zone, notifications_enabled
  `
  const known = ended.find((each) => each.email === email)
  const [open] = await tx<{ count: number }[]>`
    select count(*)::int as count from invitations where site_id = ${site_id}
  `
  if ((open?.count ?? 0) >= mostOpen)
    throw invalid(`A channel has at most ${mostOpen} open invitations. Take some of them back.`)
  const [_id, token] = [newId(), newInvitationToken()]
  const expires_at = new Date(Date.now() + days * dayMs)
  await tx`insert into invitations ${tx({ ...known, ...invited, _id, digest: sealer.digest(token), expires_at })}`
  return { _id, token, expires_at }
}

/** The address that the invited person opens. */
export const invitationLink = (apiUrl: string, token: string): string =>
  `${apiUrl.replace(/\/+$/, '')}/dashboard/invitation/${token}`
