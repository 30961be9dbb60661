import { type Entitlements, entitlementsColumn } from '../features/videos/may-watch.js'
import type { PlayerRequest } from './caller.js'
import type { Playback } from './playback.js'

/** A moment in a film at which a player requests advertisements. */
export interface AdBreak {
  /** Milliseconds from the beginning. */
  readonly offset: number
  readonly tag: string
  /** The ad server's name for the placement, if set. */
  readonly ad_placement_id?: string
}

export interface Advertising {
  readonly client: 'vast' | 'googima'
  readonly schedule: readonly AdBreak[]
  /** Ads are shown every so many plays of a viewer, counted per video or over the whole library. */
  readonly interval_count?: number
  readonly scope?: 'library' | 'video'
}

interface Tag {
  readonly tag: string
  readonly type: string | null
  readonly vmap: boolean
  readonly interval_seconds: number | null
  readonly interval_count: number | null
  readonly scope: 'library' | 'video'
}

interface AdTiming {
  readonly offset: number
  readonly ad_placement_id?: string
}

/** When this viewer sees advertisements; undefined if never. */
export async function advertisingOf(
  playback: Playback,
  requested: PlayerRequest,
): Promise<Advertising | undefined> {
  const { db } = playback.parts.database
  const { site_id } = requested.seen
  const { _id, data_sources, duration } = requested.video.record
  const source = (
    data_sources as readonly { readonly _id: string; readonly active: boolean }[] | undefined
  )?.find(({ active }) => active)
  const [found] = await db<{ tag: Tag | null; timings: readonly AdTiming[] | null }[]>`
    with on_devices as (
      select _id, device_category_id from devices where site_id = ${site_id}
        and _id = any(devices_of_viewer(${site_id}, ${JSON.stringify(requested.surroundings ?? {})}::text::jsonb))
    )
    select (
      select to_json(newest) from (
        select tag, _type as type, vmap, interval_seconds, interval_count, scope from ad_tags
        where site_id = ${site_id} and active and not disabled and tag is not null
          and (device_id is null or device_id in (select _id from on_devices))
          and (device_category_id is null or device_category_id in (select device_category_id from on_devices))
        order by device_id is null, device_category_id is null, created_at desc, _id desc limit 1
      ) as newest
    ) as tag, (
      select json_agg(
        json_strip_nulls(json_build_object('offset', milliseconds, 'ad_placement_id', ad_placement_id))
        order by milliseconds, _id
      )
      from ad_timings where site_id = ${site_id} and video_id = ${_id} and data_source_id = ${source?._id ?? ''}
    ) as timings
  `
  if (!found?.tag || (await isSpared(playback, requested))) return undefined
  const { tag, type, interval_count, scope } = found.tag
  return {
    client: type === 'AdTag::Googima' ? 'googima' : 'vast',
    schedule: breaksOf(found.tag, found.timings ?? [], duration ?? 0).map((each) => ({ ...each, tag })),
    ...(interval_count ? { interval_count, scope } : {}),
  }
}

const mostBreaks = 500

/** The publisher's breaks; else those of the tag; else one at the beginning. */
export function breaksOf(
  { vmap, interval_seconds }: Pick<Tag, 'vmap' | 'interval_seconds'>,
  timings: readonly AdTiming[],
  duration: number,
): readonly AdTiming[] {
  if (vmap) return [{ offset: 0 }]
  if (timings.length > 0) return timings
  if (!interval_seconds) return [{ offset: 0 }]
  const count = Math.min(Math.max(1, Math.ceil(duration / interval_seconds)), mostBreaks)
  return Array.from({ length: count }, (_, index) => ({ offset: index * interval_seconds * 1000 }))
}

/** Whether the viewer subscribes and the video shows subscribers no advertisements. */
async function isSpared({ parts }: Playback, { seen, consumerId, video }: PlayerRequest): Promise<boolean> {
  if (video.record.subscription_ads_enabled !== false || consumerId === '') return false
  const [row] = await parts.database.db<{ entitlements: Entitlements | null }[]>`
    select ${entitlementsColumn(consumerId)} as entitlements from videos where site_id = ${seen.site_id} and _id = ${video.record._id}
  `
  return row?.entitlements?.subscribes ?? false
}
