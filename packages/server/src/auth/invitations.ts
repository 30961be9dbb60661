import { randomBytes } from 'node:crypto'
import type { Role } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { invalid } from '../errors.js'
import { newId } from '../lib/object-id.js'
import type { Sealer } from '../lib/sealing.js'

const days = 7
const mostOpen = 200

/** What an invitation is for. */
interface Invited {
  readonly site_id: string
  readonly email: string
  readonly role: Role
}

export interface NewInvitation {
  readonly _id: string
  /** The token in the link; the database stores only its digest. */
  readonly token: string
  readonly expires_at: Date
}

/** Invites someone to a channel. An earlier link for the same address stops working. */
export async function invite(
  tx: Db,
  sealer: Sealer,
  { site_id, email, role }: Invited,
): Promise<NewInvitation> {
  await tx`delete from invitations where site_id = ${site_id} and (email = ${email} or expires_at <= now())`
  const [open] = await tx<{ count: number }[]>`
    select count(*)::int as count from invitations where site_id = ${site_id}
  `
  if ((open?.count ?? 0) >= mostOpen)
    throw invalid(`A channel has at most ${mostOpen} open invitations. Take some of them back.`)
  const [_id, token] = [newId(), randomBytes(32).toString('base64url')]
  const [made] = await tx<{ expires_at: Date }[]>`
    insert into invitations (_id, site_id, email, role, digest, expires_at)
    values (${_id}, ${site_id}, ${email}, ${role}, ${sealer.digest(token)}, now() + make_interval(days => ${days}))
    returning expires_at
  `
  return { _id, token, expires_at: made?.expires_at ?? new Date() }
}

/** The address that the invited person opens. The person who invites passes it on. */
export const invitationLink = (apiUrl: string, token: string): string =>
  `${apiUrl.replace(/\/+$/, '')}/dashboard/invitation/${token}`
