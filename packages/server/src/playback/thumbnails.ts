export interface PlayerThumbnail {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The pictures of a record. */
interface Pictured {
  readonly custom_thumbnail_url?: string | null
  readonly thumbnails?: readonly Partial<Record<keyof PlayerThumbnail, unknown>>[] | null
}

/** The pictures of known size, largest first. */
export const thumbnailsOf = ({ thumbnails }: Pictured): readonly PlayerThumbnail[] =>
  (thumbnails ?? [])
    .filter((picture): picture is PlayerThumbnail => Boolean(picture.url && picture.width && picture.height))
    .sort((a, b) => b.width - a.width)

/** The video's thumbnail; of one the publisher set only the address is known. */
export function thumbnailOf(
  record: Pictured,
): (Partial<PlayerThumbnail> & { readonly url: string }) | undefined {
  const url = record.custom_thumbnail_url
  return url ? { url } : thumbnailsOf(record)[0]
}

/** The picture shown before playback. */
export const posterOf = (record: Pictured): string | undefined => thumbnailOf(record)?.url
