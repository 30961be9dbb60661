import type { SignedInSession } from '@zoetrope/contract'
import type { EndpointResult, SignedIn, Unwritten } from './request.js'

/** The publisher's open sessions. */
export async function listSessions({
  parts,
  session,
}: SignedIn): Promise<EndpointResult<readonly SignedInSession[]>> {
  const body = await parts.database.db<Unwritten<SignedInSession>[]>`
    select _id, created_at, used_at as last_used_at, address, browser, _id = ${session._id} as current
    from publisher_sessions where publisher_id = ${session.user._id} and expires_at > now() order by used_at desc
  `
  return { body }
}

/** Signs out everywhere, including here. */
export async function endSessions({ parts, session }: SignedIn): Promise<EndpointResult<undefined>> {
  await parts.database.db`delete from publisher_sessions where publisher_id = ${session.user._id}`
  parts.principals.forget(({ publisherId }) => publisherId === session.user._id)
  return { cookie: '' }
}
