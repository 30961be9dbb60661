import type { Db } from '../../db/database.js'
import type { Format } from '../../media/formats.js'
import type { EncodingMethod } from '../../media-segments/segment-keys.js'

/** What is stored of a track, over all films. */
export interface Made {
  readonly track: string
  readonly format: Format | 'audio' | 'surround'
  /** False for the pieces that a file is joined from. */
  readonly is_whole: boolean
  readonly films: number
  readonly film_seconds: number
  readonly bytes: number
  readonly freed_bytes: number
  /** Bytes that were encoded, not copied; and what the ladder expects for them. */
  readonly encoded_bytes: number
  readonly expected_bytes: number
}

export interface Time {
  readonly track: string
  readonly format: Format
  readonly way: EncodingMethod | 'join'
  readonly seconds: number
  readonly film_seconds: number
}

/** The films that would get a format if it were turned on. */
export interface Candidates {
  readonly format: Format
  readonly films: number
  /** Seconds of film to encode. */
  readonly encoded_seconds: number
  /** Bytes to copy from the film without encoding. */
  readonly copied_bytes: number
}

/** The films that the videos of a channel are made from. */
const films = (db: Db, site_id: string) => db`
  select sources._id, sources.bytes, sources.duration, sources.width, window_count, rungs, videos.formats as own
  from videos join sources on sources.site_id = videos.site_id and sources._id = media_source_id
  where videos.site_id = ${site_id} and deleted_at is null and window_count > 0
`

export async function filmsOf(db: Db, site_id: string) {
  const [row] = await db<{ films: number; film_seconds: number }[]>`
    select count(*)::int as films, coalesce(sum(duration), 0)::float8 as film_seconds
    from (${films(db, site_id)}) as films
  `
  return { films: 0, film_seconds: 0, ...row }
}

/**
 * What is stored, by track. `freed_bytes` is what turning the format off would free. It leaves out videos that set the
 * format themselves, and films without another wanted rung: they keep their largest one while another HLS format is on.
 */
export const madeOf = (db: Db, site_id: string): Promise<Made[]> => db<Made[]>`
  with films as materialized (${films(db, site_id)}), choices as (
    select own, wanted_formats(${site_id}, own) as wanted from (select distinct own from films) as each
  )
  select track, split_part(track, '.', 1) as format, track <> 'webm_360p' as is_whole,
    (count(*) filter (where windows >= needed))::int as films, sum(made.bytes)::float8 as bytes,
    sum(duration * windows / needed)::float8 as film_seconds,
    coalesce(sum(made.bytes) filter (where not own ? part.format and not (
      rungs -> -1 ->> 'name' = part.format
      and exists (select from unnest(wanted) as other where other like 'hls%' and other <> part.format)
      and not exists (
        select from jsonb_array_elements(rungs) as rung
        where rung ->> 'name' <> part.format and rung ->> 'name' = any(wanted)
      )
    )), 0)::float8 as freed_bytes,
    coalesce(sum(made.bytes) filter (where rate is not null), 0)::float8 as encoded_bytes,
    coalesce(sum(duration * windows / needed * rate / 8), 0)::float8 as expected_bytes
  from films join choices using (own)
  join made_tracks as made on site_id = ${site_id} and source_id = films._id and windows > 0
  cross join lateral (
    select split_part(track, '.', 1) as format, case when track like '%.%' then 1 else window_count end as needed
  ) as part
  left join lateral (
    select (rung ->> 'averageRate')::float8 as rate from jsonb_array_elements(rungs) as rung
    where rung ->> 'name' = track and rung ->> 'method' = 'encode'
  ) as encoded on true
  group by track
`

export const timesOf = (db: Db, site_id: string): Promise<Time[]> => db<Time[]>`
  select track, split_part(track, '.', 1) as format, way, seconds, film_seconds from encoding_times
  where site_id = ${site_id} and film_seconds > 0
`

/**
 * Leaves out videos that set the format themselves, and films that still have part of it, because the rest costs little
 * or nothing.
 */
export const candidatesOf = (db: Db, site_id: string): Promise<Candidates[]> => db<Candidates[]>`
  select could.format, count(*)::int as films,
    coalesce(sum(duration) filter (where rate is null), 0)::float8 as encoded_seconds,
    coalesce(sum(duration * rate / 8), 0)::float8 as copied_bytes
  from (${films(db, site_id)}) as films
  cross join lateral (
    select rung ->> 'name' as format,
      case when rung ->> 'method' = 'copy' then (rung ->> 'averageRate')::float8 end as rate
    from jsonb_array_elements(rungs) as rung
    union all select format, null from unnest(array['mp4_360p', 'webm_360p']) as format where width is not null
  ) as could
  where not own ? could.format and not exists (
    select from made_tracks where site_id = ${site_id} and source_id = films._id and windows > 0
      and split_part(track, '.', 1) = could.format
  )
  group by could.format
`
