import { change, id, list, nested, objects, text } from '../fields.js'

/** The categories of a video, and how they are changed. */
export const videoCategories = {
  categories: objects(
    {
      _id: id({ about: 'Its id.', always: true }),
      category_id: id({ about: 'The category.' }),
      title: text({ about: 'Title of the category.', always: true }),
      value: list(text({ about: 'A value.' }), { about: 'Values of the category.', item: 'value' }),
    },
    {
      about: 'Categories and the values the video has in them.',
      item: 'category',
      filter: ['any', 'or', 'all', 'not'],
      filterAs: ['category'],
    },
  ),
  categories_attributes: nested(
    {
      ...change,
      category_id: id({ about: 'The category; title may be sent instead.' }),
      title: text({ about: 'The title of the category, if category_id is absent.' }),
      value: list(text({ about: 'A value.' }), {
        about: 'The new values of the video; the category must have them.',
        item: 'value',
      }),
    },
    {
      about:
        'Changes to categories: an object with an id changes an entry, one without adds one, _destroy removes one. An empty list removes all.',
      writeOnly: true,
      item: 'category',
    },
  ),
} as const
