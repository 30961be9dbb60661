import { useSearch } from '@tanstack/react-router'

/**
 * The search parameters of a page, which the router does not know: it makes its routes from a table. They come from the
 * address, so their values can be anything.
 */
export const defineSearch = <T extends object>() => ({
  useSearch: () => useSearch({ strict: false }) as { readonly [Name in keyof T]?: unknown },
  /** For `search` of a link or of `navigate`. */
  to: (search: T | ((old: object) => T)) => search as never,
})

export const listSearch = defineSearch<Readonly<Record<string, unknown>>>()
