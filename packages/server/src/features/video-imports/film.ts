import { deriving } from '../derived.js'

interface Film {
  readonly _id: string
  readonly duration: number | null
  readonly thumbnails: readonly unknown[] | null
}

/** Adds the duration and thumbnails of their films to imports. */
export const withFilm = deriving(async (imports, { parts, scope }) => {
  const ids = imports.map(({ _id }) => String(_id))
  const films = await parts.database.db<Film[]>`
    select import._id, source.duration,
      shown_thumbnails(custom_thumbnail_url, custom_thumbnail_facts, video.thumbnails) as thumbnails
    from video_imports as import
    left join sources as source on source.site_id = import.site_id and source._id = import.media_source_id
    left join videos as video on video.site_id = import.site_id and video._id = import.video_id
    where import.site_id = ${scope.site_id} and import._id = any(${ids}::text[])
  `
  return ids.map((id) => {
    const film = films.find(({ _id }) => _id === id)
    return { duration: film?.duration ?? null, thumbnails: film?.thumbnails ?? [] }
  })
})
