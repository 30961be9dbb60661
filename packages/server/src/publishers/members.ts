import { type Member, type Role, roles } from '@zoetrope/contract'
import { changeRole, removeMember } from '../auth/memberships.js'
import { invalidParameter, notFound } from '../errors.js'
import type { ChannelEndpoint, EndpointResult, InChannel, Unwritten } from './request.js'

export function roleIn({ role }: InChannel['body']): Role {
  if (typeof role === 'string' && Object.hasOwn(roles, role)) return role as Role
  throw invalidParameter('role', `is one of ${Object.keys(roles).join(', ')}`)
}

const member = ({ siteId, params }: InChannel) => ({ site_id: siteId, publisher_id: params.id ?? '' })

export const listMembers: ChannelEndpoint<readonly Member[]> = async ({ parts, siteId, session }) => {
  const body = await parts.database.db<Unwritten<Member>[]>`
    select publishers._id, email, name, role, memberships.created_at, current_sign_in_at as last_sign_in_at,
      totp_enabled_at is not null as totp_enabled, publishers._id = ${session.user._id} as you
    from memberships join publishers on publishers._id = publisher_id
    where site_id = ${siteId} order by memberships.created_at, publishers._id
  `
  return { body }
}

const ownersNamed = 5

/** Whom to ask for what the publisher's role does not allow. */
export const listOwners: ChannelEndpoint<readonly { readonly name: string }[]> = async ({
  parts,
  siteId,
}) => {
  const body = await parts.database.db<{ name: string }[]>`
    select coalesce(name, email) as name from memberships join publishers on publishers._id = publisher_id
    where site_id = ${siteId} and role = 'owner' order by memberships.created_at, publishers._id limit ${ownersNamed}
  `
  return { body }
}

export async function changeMember(visit: InChannel): Promise<EndpointResult<Pick<Member, '_id' | 'role'>>> {
  const { parts, params, body } = visit
  const role = roleIn(body)
  const isChanged = await parts.database.transaction((tx) => changeRole(tx, member(visit), role))
  if (!isChanged) throw notFound('member')
  parts.principals.forget(({ publisherId }) => publisherId === params.id)
  return { body: { _id: params.id ?? '', role } }
}

export async function endMembership(visit: InChannel): Promise<EndpointResult<undefined>> {
  const { parts, params } = visit
  const isEnded = await parts.database.transaction((tx) => removeMember(tx, member(visit)))
  if (!isEnded) throw notFound('member')
  parts.principals.forget(({ publisherId }) => publisherId === params.id)
  return {}
}
