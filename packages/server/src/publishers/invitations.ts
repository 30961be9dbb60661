import type { Invitation, NewInvitation } from '@zoetrope/contract'
import { invite } from '../auth/invitations.js'
import { notFound } from '../errors.js'
import { handOver } from '../jobs/mail-invitation.job.js'
import { emailIn } from './fields.js'
import { roleIn } from './members.js'
import type { ChannelEndpoint, Unwritten } from './request.js'

export const makeInvitation: ChannelEndpoint<NewInvitation> = async ({ parts, siteId, body }) => {
  const invited = { site_id: siteId, email: emailIn(body), role: roleIn(body) }
  return parts.database.transaction(async (tx) => {
    const { expires_at, ...made } = await invite(tx, parts.sealer, invited)
    const link = await handOver(tx, parts, { ...invited, ...made })
    return {
      status: 201,
      body: { _id: made._id, email: invited.email, role: invited.role, link, expires_at },
    }
  })
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
