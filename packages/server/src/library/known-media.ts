import type { Db } from '../db/database.js'

/** What the database knows about ids found in the storage. */
export interface MediaStatus {
  /** A row refers to it: a source, an audio track, a poster, an upload, or an import that will become a source. */
  readonly known: ReadonlySet<string>
  /** It was deleted on purpose. */
  readonly ended: ReadonlySet<string>
  /** An earlier sweep already found no row for it. */
  readonly marked: ReadonlySet<string>
}

export async function mediaStatusOf(db: Db, ids: readonly string[]): Promise<MediaStatus> {
  const rows = await db<{ _id: string; status: keyof MediaStatus }[]>`
    select _id, 'known' as status from sources where _id = any(${ids}::text[])
    union all select file_id, 'known' from audio_tracks where file_id = any(${ids}::text[])
    union all select poster_image_id, 'known' from videos where poster_image_id = any(${ids}::text[])
    union all select source_id, 'known' from uploads where source_id = any(${ids}::text[])
    union all select media_source_id, 'known' from video_imports
      where media_source_id = any(${ids}::text[]) and status in ('created', 'downloading')
    union all select _id, 'ended' from ended_media where _id = any(${ids}::text[])
    union all select _id, 'marked' from unknown_media where _id = any(${ids}::text[])
  `
  const idsThatAre = (status: keyof MediaStatus) =>
    new Set(rows.filter((row) => row.status === status).map(({ _id }) => _id))
  return { known: idsThatAre('known'), ended: idsThatAre('ended'), marked: idsThatAre('marked') }
}
