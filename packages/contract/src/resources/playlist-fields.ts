import { choice, flag, id, integer, list, nested, text } from '../fields.js'

/** How deep playlists may be nested. */
export const playlistDepth = 10

const values = (about: string) => list(text({ about: 'A value.' }), { about, item: 'value' })

/** One rule of a playlist that fills itself. */
export const rule = {
  category_id: id({ about: 'The category; title may be sent instead.' }),
  title: text({ about: 'Title of the category.' }),
  value: values('Videos with any of these values match; if empty, videos with any value.'),
  exclude_values: values('Videos with any of these values are excluded.'),
  _destroy: flag({ about: 'Removes this rule.', writeOnly: true }),
} as const

export const sortOption = {
  sort_by: choice(['created_at', 'published_at', 'title'], { about: 'The field.', required: true }),
  direction: choice(['asc', 'desc'], { about: 'Ascending or descending; ascending by default.' }),
  sort_by_type: choice(['date', 'datetime', 'string', 'integer', 'array', 'boolean'], {
    about: 'The kind of value; stored as it is sent.',
  }),
} as const

const node = {
  id: id({ about: 'The playlist.', required: true }),
  title: text({ about: 'Its title.', required: true, maxLength: 500 }),
  priority: integer({ about: 'Its position among its siblings.', required: true }),
} as const

const above = <const F extends typeof node>(inner: F) =>
  ({
    ...node,
    playlists: nested(inner, {
      about: 'The playlists in it; absent if there are none.',
      item: 'playlist',
    }),
  }) as const

/** Nested playlists, up to the maximum depth. */
export const playlistTree = {
  name: 'playlist',
  plural: 'playlists',
  fields: above(above(above(above(above(above(above(above(above(node))))))))),
} as const
