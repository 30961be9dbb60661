import { choice, flag, id, integer, list, nested, text } from '../fields.js'

/** How deep playlists may lie inside each other. */
export const playlistDepth = 10

const values = (about: string) => list(text({ about: 'A value.' }), { about, item: 'value' })

/** One rule of a playlist that fills itself. */
export const rule = {
  category_id: id({ about: 'The category; its title will do too.' }),
  title: text({ about: 'Title of the category.' }),
  value: values('Videos with any of these are in it; with any value at all when empty.'),
  exclude_values: values('Videos with any of these are left out.'),
  _destroy: flag({ about: 'Leaves this rule out.', writeOnly: true }),
} as const

export const sortOption = {
  sort_by: choice(['created_at', 'published_at', 'title'], { about: 'The field.', required: true }),
  direction: choice(['asc', 'desc'], { about: 'Upwards or downwards; upwards when absent.' }),
  sort_by_type: choice(['date', 'datetime', 'string', 'integer', 'array', 'boolean'], {
    about: 'What kind of value it is; kept as it is sent.',
  }),
} as const

const node = {
  id: id({ about: 'The playlist.', required: true }),
  title: text({ about: 'Its title.', required: true, maxLength: 500 }),
  priority: integer({ about: 'Its place among its siblings.', required: true }),
} as const

const above = <const F extends typeof node>(inner: F) =>
  ({
    ...node,
    playlists: nested(inner, {
      about: 'The playlists in it; absent where there are none.',
      item: 'playlist',
    }),
  }) as const

/** Playlists inside each other, as deep as they may lie. */
export const playlistTree = {
  name: 'playlist',
  plural: 'playlists',
  fields: above(above(above(above(above(above(above(above(above(node))))))))),
} as const
