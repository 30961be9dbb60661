import { catalog, filtersByName, limits, type Resource } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { notFound } from '../errors.js'
import { isId } from '../lib/object-id.js'
import type { Body, Call, Feature, Run } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { isSeen, type Scope } from '../resources/store.js'

/** The resource that each body field refers to. */
const named: Readonly<Record<string, Resource>> = {
  consumer_id: catalog.consumers,
  video_id: catalog.videos,
  playlist_id: catalog.playlists,
  featured_playlist_id: catalog.playlists,
  plan_id: catalog.plans,
  video_source_id: catalog.video_sources,
  pass_plan_id: catalog.pass_plans,
  device_id: catalog.devices,
  device_category_id: catalog.device_categories,
}

/** Throws 404 unless every record that the body refers to exists in the channel. */
export async function checkReferences({ parts, scope, body }: Pick<Call, 'parts' | 'scope' | 'body'>) {
  const { db } = parts.database
  const site = { site_id: scope.site_id }
  for (const [name, resource] of Object.entries(named)) {
    const id = body[name]
    if (typeof id === 'string' && !(await isSeen(db, resource, site, id, true))) throw notFound(resource.name)
  }
}

const listed = { device_ids: catalog.devices, device_category_ids: catalog.device_categories } as const

/** Throws 404 unless every device and device category in the body exists in the channel. */
export async function checkDevices(tx: Db, { site_id }: Scope, body: Call['body']): Promise<void> {
  for (const [field, resource] of Object.entries(listed))
    await checkAll(tx, site_id, resource, (body[field] ?? []) as readonly string[])
}

/** Throws 404 unless every record exists, including hidden and deleted ones. */
async function checkAll(
  tx: Db,
  site_id: string,
  { plural, name }: Resource,
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const found = await tx`select from ${tx(plural)} where site_id = ${site_id} and _id = any(${wanted})`
  if (found.length < wanted.length) throw notFound(name)
}

/** Wraps a write: checks first that everything the body refers to exists. */
export const referring =
  <B extends Body>(run: Run<B>): Run<B> =>
  async (call) => {
    await checkReferences(call)
    await checkDevices(call.parts.database.db, call.scope, call.body)
    return run(call)
  }

export const referringWrites = { create: referring(standard.create), update: referring(standard.update) }

/** The resource that each filter refers to. */
const filtered: Readonly<Record<string, Resource>> = {
  ...named,
  parent_id: catalog.playlists,
  subscription_id: catalog.subscriptions,
  transaction_id: catalog.transactions,
}

/** Returns the records that a filter on an id field names. Filters on lists of ids may match nothing. */
function namedBy(asked: Resource, parameter: string, value: unknown) {
  const filter = filtersByName(asked).get(parameter)
  const resource = filtered[parameter]
  if (!resource || filter?.field.kind !== 'id') return undefined
  const ids = [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')
  return { resource, ids: ids.slice(0, limits.filter_values.value) }
}

/** Wraps a list: throws 404 unless the records that its filters name exist in the channel. */
const withinKnown =
  <B>(run: Run<B>): Run<B> =>
  async (call) => {
    const { parts, resource, scope, query } = call
    for (const [parameter, value] of Object.entries(query)) {
      const asked = namedBy(resource, parameter, value)
      if (!asked) continue
      if (!asked.ids.every(isId)) throw notFound(asked.resource.name)
      await checkAll(parts.database.db, scope.site_id, asked.resource, asked.ids)
    }
    return run(call)
  }

/** Returns the feature with a list that checks the records its filters name. */
export const withKnownFilters = (feature: Feature): Feature => ({
  ...feature,
  operations: { ...feature.operations, list: withinKnown(feature.operations?.list ?? standard.list) },
})
