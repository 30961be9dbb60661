import type { Invitation, NewInvitation } from '@zoetrope/contract'
import { invitationLink, invite } from '../auth/invitations.js'
import { notFound } from '../errors.js'
import { emailIn } from './fields.js'
import { roleIn } from './members.js'
import type { ChannelEndpoint, Unwritten } from './request.js'

/** The person who invites passes the link on: it is shown once and not mailed. */
export const makeInvitation: ChannelEndpoint<NewInvitation> = async ({ parts, siteId, body }) => {
  const [email, role] = [emailIn(body), roleIn(body)]
  const { _id, token, expires_at } = await parts.database.transaction((tx) =>
    invite(tx, parts.sealer, { site_id: siteId, email, role }),
  )
  return {
    status: 201,
    body: { _id, email, role, link: invitationLink(parts.apiUrl, token), expires_at },
  }
}

export const listInvitations: ChannelEndpoint<readonly Invitation[]> = async ({ parts, siteId }) => {
  const body = await parts.database.db<Unwritten<Invitation>[]>`
    select _id, email, role, created_at, expires_at from invitations
    where site_id = ${siteId} and expires_at > now() order by created_at desc, _id
  `
  return { body }
}

export const takeBackInvitation: ChannelEndpoint<undefined> = async ({ parts, siteId, params }) => {
  // In a transaction, so that its event names who did it.
  const { count } = await parts.database.transaction(
    (tx) => tx`delete from invitations where site_id = ${siteId} and _id = ${params.id ?? ''}`,
  )
  if (count === 0) throw notFound('invitation')
  return {}
}
