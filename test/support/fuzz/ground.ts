import {
  type Endpoint,
  endpoints,
  makeTarget,
  type Target,
  type TargetApi,
} from '../../api/access-targets.js'
import type { TestChannel } from '../api.js'
import type { Ground } from './hostile-requests.js'
import type { Callers, World } from './near-valid.js'
import { type Document, type Target as Place, targetsOf } from './openapi-targets.js'
import type { Ids } from './valid-values.js'

/** A server to send requests to, with two channels. */
export interface FuzzApi extends TargetApi {
  readonly url: string
  readonly channel: TestChannel
  readonly other: TestChannel
}

export interface FuzzGround {
  readonly world: World
  /**
   * The second channel. Singletons such as settings are changed there, because changing them here would break later
   * requests.
   */
  readonly otherWorld: World
  readonly ground: Ground
  readonly places: readonly Place[]
  /** Returns a record on which the endpoint would succeed: an earlier one, or a new one after a few requests. */
  targetOf(endpoint: Endpoint): Promise<Target>
  /** Returns how often no such record could be created. */
  readonly unmade: () => number
  /** Drops the endpoint's record, because it was removed or can no longer be used. */
  forget(endpoint: Endpoint): void
}

const uses = 8

/** Creating a viewer without a password is fast, because nothing is hashed. */
async function newOwner(channel: TestChannel, { resource }: Endpoint): Promise<string> {
  if (resource.name === 'session') return (await channel.consumer())._id
  const email = `owner-${crypto.randomUUID()}@example.com`
  return (await channel.as('admin').consumers.create({ email }))._id
}

/** Creates records of each top-level kind. Returns their ids by the resource's name. */
async function makeIds(api: FuzzApi, channel: TestChannel, count: number): Promise<Ids> {
  const ids: Record<string, string[]> = {}
  for (const endpoint of endpoints.filter(
    ({ name, resource }) => name === 'get' && !resource.within && !resource.single,
  ))
    for (let index = 0; index < count; index += 1) {
      const { id } = await makeTarget(api, channel, endpoint, await newOwner(channel, endpoint))
      if (id) ids[endpoint.resource.name] = [...(ids[endpoint.resource.name] ?? []), id]
    }
  return ids
}

export async function makeGround(api: FuzzApi, records: number): Promise<FuzzGround> {
  const { channel, other } = api
  const [ids, others] = [await makeIds(api, channel, records), await makeIds(api, other, 1)]
  const viewer = await channel.consumer()
  const byPath = Object.fromEntries(
    endpoints
      .map(({ resource: { path, name } }) => [path, ids[name] ?? []])
      .filter(([, known]) => known?.length),
  ) as Record<string, string[]>
  const targets = new Map<Endpoint, { readonly target: Target; left: number }>()
  const callersOf = ({ keys, app_key }: TestChannel): Callers => ({
    admin: ['X-Api-Key', keys.admin],
    read_only: ['X-Api-Key', keys.read_only],
    app: ['X-App-Key', app_key],
    consumer: ['Authorization', `Bearer ${viewer.access_token}`],
  })
  let unmade = 0
  const make = async (endpoint: Endpoint): Promise<Target> => {
    try {
      return await makeTarget(api, channel, endpoint, await newOwner(channel, endpoint))
    } catch {
      // Earlier requests may have used up what this one needs.
      unmade += 1
      return { id: '0'.repeat(24), parentId: '0'.repeat(24), fields: {} }
    }
  }
  return {
    world: { callers: callersOf(channel), ids, others },
    otherWorld: { callers: callersOf(other), ids: others, others: ids },
    ground: { key: channel.keys.admin, ids: byPath },
    places: targetsOf((await (await fetch(`${api.url}/openapi.json`)).json()) as Document),
    async targetOf(endpoint) {
      const known = targets.get(endpoint)
      if (known && known.left > 0) {
        known.left -= 1
        return known.target
      }
      const target = await make(endpoint)
      targets.set(endpoint, { target, left: uses })
      return target
    },
    unmade: () => unmade,
    forget: (endpoint) => void targets.delete(endpoint),
  }
}
