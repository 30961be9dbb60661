import { roles } from '@zoetrope/contract'
import { channelInHeader, checkCsrf, refuseForeign, sessionToken } from '../api/dashboard-session.js'
import { confirmRequired } from '../auth/confirmation.js'
import { actingAs } from '../db/acting-as.js'
import { forbidden, notFound, notSignedIn } from '../errors.js'
import type { EndpointResult, InChannel, PublisherEndpoint, PublisherRequest, SignedIn } from './request.js'
import { findSession } from './session-store.js'

/** Runs an endpoint if the caller may use it. */
export async function runEndpoint(
  visit: PublisherRequest,
  endpoint: PublisherEndpoint,
  needsConfirmation: boolean,
): Promise<EndpointResult<unknown>> {
  if (endpoint.for === 'anyone') {
    refuseForeign(visit.request)
    return endpoint.run(visit)
  }
  const known = await recognise(visit)
  const isUnconfirmed = needsConfirmation && !known.session.confirmed
  if (endpoint.for === 'signed in') {
    if (isUnconfirmed) throw confirmRequired()
    return endpoint.run(known)
  }
  const inside = placed(known)
  if (!endpoint.for.includes(inside.role))
    throw forbidden(`This needs the role ${endpoint.for.join(' or ')}. ${roles[inside.role]}`)
  if (isUnconfirmed) throw confirmRequired()
  return endpoint.run(inside)
}

async function recognise(visit: PublisherRequest): Promise<SignedIn> {
  const { parts, request } = visit
  const token = sessionToken(request.headers)
  if (!token) throw notSignedIn()
  checkCsrf(request, token)
  const session = await findSession(parts.database.db, parts.sealer, token)
  if (!session) throw notSignedIn()
  return { ...visit, session, token }
}

/** A channel the caller is not a member of is reported as not found. */
function placed(visit: SignedIn): InChannel {
  const named = channelInHeader(visit.request)
  const channel = visit.session.channels.find(({ _id }) => _id === named)
  if (!channel) throw notFound('channel')
  const { _id: siteId, role } = channel
  const { parts, session, request } = visit
  const actor = { name: `${role} ${session.user._id}`, requestId: request.id }
  return { ...visit, siteId, role, parts: { ...parts, database: actingAs(parts.database, actor) } }
}
