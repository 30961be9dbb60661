import { catalog, type Resource } from '@zoetrope/contract'
import { notFound } from '../errors.js'
import { deriving } from '../resources/derived.js'
import type { Run } from '../resources/feature.js'
import { standard } from '../resources/standard.js'
import { checkReferences } from './references.js'

/** Entitlements with the titles of what they open. */
const withTitles = (table: 'videos' | 'playlists', name: 'video' | 'playlist') =>
  deriving(async (entitlements, { parts, scope }) => {
    const { db } = parts.database
    const ids = entitlements.map((entitlement) => String(entitlement[`${name}_id`]))
    const rows = await db<{ _id: string; title: string }[]>`
      select _id, title from ${db(table)} where site_id = ${scope.site_id} and _id = any(${ids}::text[])
    `
    const titles = new Map(rows.map(({ _id, title }) => [_id, title]))
    return ids.map((id) => ({ [`${name}_title`]: titles.get(id) ?? null }))
  })
const withVideoTitles = withTitles('videos', 'video')
const withPlaylistTitles = withTitles('playlists', 'playlist')

/** What is opened must be there. */
const known =
  (run: Run): Run =>
  async (call) => {
    await checkReferences(call)
    return run(call)
  }

/** The list of the caller's own, wherever it is asked for. */
const ofCaller =
  (resource: Resource): Run =>
  async (call) => {
    const { consumerId } = call.principal
    if (!consumerId) throw notFound('consumer')
    return standard.list({ ...call, resource, scope: { ...call.scope, consumer_id: consumerId } })
  }

const operationsWith = (titled: (run: Run) => Run) => ({
  list: titled(standard.list),
  get: titled(standard.get),
  create: titled(known(standard.create)),
  update: titled(known(standard.update)),
})

export const entitlementFeatures = {
  video_entitlements: { operations: operationsWith(withVideoTitles), actions: {} },
  playlist_entitlements: { operations: operationsWith(withPlaylistTitles), actions: {} },
  own_video_entitlements: {
    operations: { list: withVideoTitles(ofCaller(catalog.video_entitlements)) },
    actions: {},
  },
  own_playlist_entitlements: {
    operations: { list: withPlaylistTitles(ofCaller(catalog.playlist_entitlements)) },
    actions: {},
  },
} as const
