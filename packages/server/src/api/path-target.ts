import { parentField, parentParameters, type Resource } from '@zoetrope/contract'
import type { FastifyRequest } from 'fastify'
import { notAllowed, seesHidden } from '../auth/access.js'
import type { Principal } from '../auth/principals.js'
import type { Db } from '../db/database.js'
import { raw, sql } from '../db/fragment.js'
import { type ApiError, notFound } from '../errors.js'
import { isStorableText } from '../lib/clean.js'
import { isLanguage, languageCode } from '../lib/language.js'
import { isId } from '../lib/object-id.js'
import { quoted } from '../resources/columns.js'
import type { Parts } from '../resources/feature.js'
import { belongs, isSeen, type Scope, withinScope } from '../resources/store.js'
import type { Endpoint } from './endpoints.js'
import type { Exchange } from './exchange.js'

/** The record a path names, or the empty id, and the scope of what the request reads and writes. */
export interface PathTarget {
  readonly id: string
  readonly scope: Scope
}

/** Finds what a path names; 404 if it does not exist for this caller. */
export async function findTarget({
  parts,
  resource,
  endpoint,
  principal,
  request,
}: Exchange): Promise<PathTarget> {
  const scope = await scopeOf(parts, resource, principal, request)
  const id = await idIn(parts, resource, scope, idGiven(request, resource, endpoint, principal))
  if (resource.personal && endpoint.onMember && isStranger(principal, id)) throw notFound(resource.name)
  return { id, scope }
}

/** The channel, and the parent records in the path, each of which must exist. */
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

/** The error for a caller without access: 404 for records of other channels, otherwise 403 with what this caller may do. */
export async function accessError(exchange: Exchange): Promise<ApiError> {
  const { parts, resource, endpoint, principal } = exchange
  const { id, scope } = await findTarget(exchange)
  if (endpoint.onMember && !(await belongs(parts.database.db, resource, scope, id)))
    return notFound(resource.name)
  return notAllowed(principal, resource, endpoint.name)
}

function idGiven(
  request: FastifyRequest,
  resource: Resource,
  { onMember }: Endpoint,
  principal: Principal,
): string {
  if (resource.single) return principal.siteId
  if (!onMember) return ''
  return (request.params as { id: string }).id
}

/** The id given, or the id of the record whose `alsoNamedBy` field has the value given. */
async function idIn({ database }: Parts, resource: Resource, scope: Scope, given: string): Promise<string> {
  if (given === '' || isId(given)) return given
  const column = resource.alsoNamedBy
  const field = column && resource.fields[column]
  const name = field && isLanguage(field) ? (languageCode(given) ?? given) : given
  const id = column && isStorableText(name) && (await idBy(database.db, resource, scope, column, name))
  if (!id) throw notFound(resource.name)
  return id
}

async function idBy(db: Db, resource: Resource, scope: Scope, column: string, value: string) {
  const where = sql`${withinScope(resource, scope, true, 'both')} and ${raw(quoted(column))} = ${value}`
  const statement = sql`select _id from ${raw(quoted(resource.plural))} where ${where}`
  return (await db.run<{ _id: string }[]>(statement))[0]?._id
}

const isStranger = ({ kind, consumerId }: Principal, id: string) => kind === 'consumer' && consumerId !== id

/** Whether the caller sees the parent record. A valid access token proves that its own consumer exists. */
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
