import { parentField, parentParameters, type Resource } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { notAllowed, seesHidden } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import { type ApiError, notFound } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { isLanguage, languageCode } from '../lib/language.js'
import { isId } from '../lib/object-id.js'
import type { Parts } from '../resources/feature.js'
import { belongs, idBy, isSeen, type Scope } from '../resources/store.js'

/** What a path says about an endpoint: whether it names one record. */
interface Named {
  readonly name: string
  readonly onMember: boolean
}

interface Place {
  readonly id: string
  readonly scope: Scope
}

/** The record a path names and the scope it lies in; 404 for whatever is not there for this caller. */
export async function placeOf(
  parts: Parts,
  resource: Resource,
  endpoint: Named,
  principal: Principal,
  request: FastifyRequest,
): Promise<Place> {
  const scope = await scopeOf(parts, resource, principal, request)
  const id = await idIn(parts, resource, scope, idGiven(request, resource, endpoint, principal))
  if (resource.personal && endpoint.onMember && isStranger(principal, id)) throw notFound(resource.name)
  return { id, scope }
}

/** The channel and the records that it lies in, each of which must be there. */
async function scopeOf(
  parts: Parts,
  { within }: Resource,
  principal: Principal,
  request: FastifyRequest,
  [parameter = '', ...others]: readonly string[] = parentParameters,
): Promise<Scope> {
  if (!within) return { site_id: principal.siteId }
  const outer = await scopeOf(parts, within, principal, request, others)
  const id = (request.params as Readonly<Record<string, string>>)[parameter] ?? ''
  if (!isId(id) || !(await isThere(parts, within, outer, principal, id))) throw notFound(within.name)
  return { ...outer, [parentField(within)]: id }
}

/** Another channel's record is not there, whatever the caller may do; for its own channel's it is told what it may do. */
export async function refusal(
  parts: Parts,
  resource: Resource,
  endpoint: Named,
  principal: Principal,
  request: FastifyRequest,
): Promise<ApiError> {
  const { id, scope } = await placeOf(parts, resource, endpoint, principal, request)
  if (endpoint.onMember && !(await belongs(parts.database.db, resource, scope, id)))
    return notFound(resource.name)
  return notAllowed(principal, resource, endpoint.name)
}

function idGiven(
  request: FastifyRequest,
  resource: Resource,
  { onMember }: Named,
  principal: Principal,
): string {
  if (resource.single) return principal.siteId
  if (!onMember) return ''
  return (request.params as { id: string }).id
}

/** The id itself, or that of the record which another name of the path is for. */
async function idIn({ database }: Parts, resource: Resource, scope: Scope, given: string): Promise<string> {
  if (given === '' || isId(given)) return given
  const column = resource.alsoNamedBy
  const field = column && resource.fields[column]
  const name = field && isLanguage(field) ? (languageCode(given) ?? given) : given
  const id = column && isStorableText(name) && (await idBy(database.db, resource, scope, column, name))
  if (!id) throw notFound(resource.name)
  return id
}

const isStranger = ({ kind, consumerId }: Principal, id: string) => kind === 'consumer' && consumerId !== id

/** What lies in a record is there for those who see the record. An access token that works says that its consumer is there. */
async function isThere(
  parts: Parts,
  parent: Resource,
  scope: Scope,
  principal: Principal,
  id: string,
): Promise<boolean> {
  if (principal.kind === 'consumer' && parent.personal) return !isStranger(principal, id)
  return isSeen(parts.database.db, parent, scope, id, seesHidden(principal, parent))
}
