import type { Db } from '../db/database.js'

/** What the database knows about ids found in the storage. */
export interface Standings {
  /** A row refers to it: a source, a poster, an upload, or an import that will become a source. */
  readonly known: ReadonlySet<string>
  /** It was deleted on purpose. */
  readonly ended: ReadonlySet<string>
  /** An earlier sweep already found no row for it. */
  readonly marked: ReadonlySet<string>
}

export async function standingsOf(db: Db, ids: readonly string[]): Promise<Standings> {
  const rows = await db<{ _id: string; standing: keyof Standings }[]>`
    select _id, 'known' as standing from sources where _id = any(${ids}::text[])
    union all select poster_image_id, 'known' from videos where poster_image_id = any(${ids}::text[])
    union all select source_id, 'known' from uploads where source_id = any(${ids}::text[])
    union all select media_source_id, 'known' from video_imports
      where media_source_id = any(${ids}::text[]) and status in ('created', 'downloading')
    union all select _id, 'ended' from ended_media where _id = any(${ids}::text[])
    union all select _id, 'marked' from unknown_media where _id = any(${ids}::text[])
  `
  const idsThatAre = (standing: keyof Standings) =>
    new Set(rows.filter((row) => row.standing === standing).map(({ _id }) => _id))
  return { known: idsThatAre('known'), ended: idsThatAre('ended'), marked: idsThatAre('marked') }
}
