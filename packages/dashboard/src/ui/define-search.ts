import { useSearch } from '@tanstack/react-router'

/**
 * The search parameters of a page. The router does not know their types, because its routes are built from a table.
 * They come from the URL, so their values can be anything.
 */
export const defineSearch = <T extends object>() => ({
  useSearch: () => useSearch({ strict: false }) as { readonly [Name in keyof T]?: unknown },
  /** For `search` of a link or of `navigate`. */
  to: (search: T | ((old: object) => T)) => search as never,
})

/** The upload page. With a video, it replaces the film of that video. */
export const uploadSearch = defineSearch<{ video_id: string }>()

/** The page of a video. Its player starts at this second. */
export const startSearch = defineSearch<{ t: number }>()

export const listSearch = defineSearch<Readonly<Record<string, unknown>>>()
