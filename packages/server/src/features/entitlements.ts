import { catalog, type Resource } from '@zoetrope/contract'
import { notFound } from '../errors.js'
import type { Call, Run } from '../resources/feature.js'
import { list } from '../resources/list.js'
import { standard } from '../resources/standard.js'
import { deriving } from './derived.js'
import { listOwnVideos, titled, wayOfCursor } from './own-videos.js'
import { referring } from './references.js'

/** Adds the titles of the videos or playlists that records refer to. */
export const withTitlesOf = (name: 'video' | 'playlist') =>
  deriving(async (records, { parts, scope }) => {
    const { db } = parts.database
    const ids = records.map((record) => String(record[`${name}_id`]))
    const rows = await db<{ _id: string; title: string }[]>`
      select _id, title from ${db(`${name}s`)} where site_id = ${scope.site_id} and _id = any(${ids}::text[])
    `
    const titles = new Map(rows.map(({ _id, title }) => [_id, title]))
    return ids.map((id) => ({ [`${name}_title`]: titles.get(id) ?? null }))
  })
const withVideoTitles = withTitlesOf('video')
const withPlaylistTitles = withTitlesOf('playlist')

/** Lists the caller's own entitlements. Uses `withPlaylists` for consumers who are entitled to playlists. */
const ofCaller =
  (resource: Resource, opened: Resource, withPlaylists?: Run): Run =>
  async (call) => {
    const { consumerId: consumer_id } = call.principal
    if (!consumer_id) throw notFound('consumer')
    const asked = { ...call, resource, scope: { ...call.scope, consumer_id } }
    const byNames = () => list(asked, titled(asked, opened)[0])
    if (!withPlaylists) return byNames()
    const way = wayOfCursor(asked) ?? ((await hasPlaylists(asked)) ? 'playlists' : 'names')
    return way === 'playlists' ? withPlaylists(asked) : byNames()
  }

async function hasPlaylists({ parts, scope }: Call): Promise<boolean> {
  const [given] = await parts.database.db`
    select from playlist_entitlements
    where site_id = ${scope.site_id} and consumer_id = ${scope.consumer_id ?? ''} limit 1
  `
  return given !== undefined
}

const operationsWith = (titled: (run: Run) => Run) => ({
  list: titled(standard.list),
  get: titled(standard.get),
  create: titled(referring(standard.create)),
  update: titled(referring(standard.update)),
})

export const entitlementFeatures = {
  video_entitlements: { operations: operationsWith(withVideoTitles), actions: {} },
  playlist_entitlements: { operations: operationsWith(withPlaylistTitles), actions: {} },
  own_video_entitlements: {
    operations: {
      list: withVideoTitles(ofCaller(catalog.video_entitlements, catalog.videos, listOwnVideos)),
    },
    actions: {},
  },
  own_playlist_entitlements: {
    operations: { list: withPlaylistTitles(ofCaller(catalog.playlist_entitlements, catalog.playlists)) },
    actions: {},
  },
} as const
