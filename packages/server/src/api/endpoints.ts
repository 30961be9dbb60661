import {
  actionPath,
  actsOnMember,
  catalog,
  type Operation,
  operations,
  pathOf,
  type Resource,
  type Shown,
} from '@zoetrope/contract'
import { violatedTable, violation } from '../db/violation.js'
import { type ApiError, invalid } from '../errors.js'
import type { Feature, Run, RunAction } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { actionInput, type Input, operationInput } from './input.js'

/** One operation or action of a resource, as a request reaches it. */
export interface Endpoint {
  readonly name: string
  /** Takes the body that `input` describes. */
  readonly run: RunAction<never>
  /** The fields it takes; undefined if it takes none. */
  readonly input: Input | undefined
  /** The status of a success. */
  readonly success: number
  /** Whether its path names one record. */
  readonly onMember: boolean
  /** The resource whose records it returns. */
  readonly shown: Shown
  /** Whether those records may have secrets. */
  readonly hasSecret: boolean
  /**
   * Whether its answers may be compressed. If an answer contains both a secret and text chosen by the caller, its compressed
   * length leaks the secret (BREACH). So only reads of records without secrets are compressed.
   */
  readonly showsNoSecret: boolean
}

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
export const verbs: readonly Verb[] = ['GET', 'POST', 'PUT', 'DELETE']

/** The endpoints of one path. */
export type Endpoints = ReadonlyMap<Verb, Endpoint>

/** The endpoints of a resource by path: the five operations, each of which a feature may replace, and the declared actions. */
export function endpointsOf(resource: Resource, feature: Feature): ReadonlyMap<string, Endpoints> {
  const paths = new Map<string, Map<Verb, Endpoint>>()
  const add = (path: string, verb: Verb, endpoint: Endpoint) =>
    paths.set(path, (paths.get(path) ?? new Map()).set(verb, endpoint))

  for (const operation of resource.operations)
    add(
      pathOf(resource, operation),
      operations[operation].method,
      operationEndpoint(resource, operation, feature),
    )
  for (const [name, action] of Object.entries(resource.actions))
    add(actionPath(resource, name), action.method, actionEndpoint(resource, name, feature))
  return paths
}

function operationEndpoint(resource: Resource, operation: Operation, feature: Feature): Endpoint {
  const writes = operation === 'create' || operation === 'update'
  const run = feature.operations?.[operation] ?? standard[operation]
  return {
    name: operation,
    run: operation === 'remove' ? unlessUsed(run) : run,
    input: writes ? operationInput(resource, operation) : undefined,
    success: operations[operation].success,
    onMember: operations[operation].onMember && !resource.single,
    shown: resource,
    hasSecret: !hasNoSecret(resource),
    showsNoSecret: showsNoSecret(resource),
  }
}

function actionEndpoint(resource: Resource, name: string, feature: Feature): Endpoint {
  const run = feature.actions?.[name]
  const action = resource.actions[name]
  if (!run || !action) throw new Error(`The action ${name} of ${resource.plural} has no code`)
  const shown = action.of ?? resource
  return {
    name,
    run,
    input: actionInput(resource, action.body ?? {}),
    success: action.success ?? 200,
    onMember: actsOnMember(resource, name),
    shown,
    hasSecret: !hasNoSecret(shown),
    showsNoSecret: action.answers === 'list' && showsNoSecret(shown),
  }
}

const secretNames = /(^|_)(token|secret|(?<!public_)key|pin)$/
const hasNoSecret = ({ fields }: Shown) =>
  !Object.entries(fields).some(([name, { kind }]) => kind === 'secret' || secretNames.test(name))

/** Reads may include related records, which may have secrets. */
const showsNoSecret = (shown: Shown) =>
  [shown, ...Object.values(shown.includes ?? {}).map((key) => catalog[key as keyof typeof catalog])].every(
    hasNoSecret,
  )

/**
 * A removal that the database refuses because other records refer to the record. PostgreSQL reports this with the same code
 * as a reference to a record that does not exist, and tells the two apart only in words of the language it was set up with.
 */
const unlessUsed =
  <B>(remove: Run<B>): Run<B> =>
  async (call) => {
    try {
      const removed = await remove(call)
      // Some references are checked at the end of the transaction, which may be later than this.
      if (call.parts.afterCommit) await call.parts.database.db`set constraints all immediate`
      return removed
    } catch (error) {
      throw violation(error) === 'foreign_key' ? stillUsed(call.resource, error) : error
    }
  }

function stillUsed({ name, fields }: Resource, cause: unknown): ApiError {
  const table = violatedTable(cause) ?? 'other_records'
  const advice = 'active' in fields ? ' Set active to false to offer it no more.' : ''
  return invalid(
    `${capitalised(table)} refer to this ${name.replaceAll('_', ' ')}, so it cannot be deleted.${advice}`,
  )
}

const capitalised = (table: string) => table.charAt(0).toUpperCase() + table.slice(1).replaceAll('_', ' ')
