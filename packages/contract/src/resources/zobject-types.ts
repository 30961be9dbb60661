import { change, choice, flag, id, integer, longText, nested, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const attribute = {
  field_name: text({
    about: 'Its name, which becomes a field of the records: letters, digits and underscores.',
    maxLength: 60,
  }),
  field_type: choice(
    ['string', 'text', 'integer', 'float', 'number', 'boolean', 'date', 'datetime', 'url', 'array'],
    { about: 'The type of its value; text by default.', default: 'string' },
  ),
  description: text({ about: 'What it is for.', maxLength: 2000 }),
  show_list: flag({ about: 'Shown in the lists of the dashboard.' }),
} as const

export const zobjectTypes = defineResource({
  name: 'zobject_type',
  plural: 'zobject_types',
  shownIn: 'videos',
  about: 'A custom object type (actors, teams, rows of a home screen…) with its attributes.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  history: { quiet: ['zobject_count'] },
  fields: {
    title: text({
      about:
        'Its name, unique within the channel and stored in lower case. Requests for zobjects refer to it.',
      required: true,
      maxLength: 100,
      filter: ['is', 'not'],
      search: true,
      sort: true,
    }),
    description: longText({ about: 'What it is for.' }),
    videos_enabled: flag({ about: 'They may be attached to videos.', default: true }),
    playlists_enabled: flag({ about: 'They may be attached to playlists.', default: true }),
    zobject_count: integer({ about: 'How many there are.', computed: true, default: 0 }),
    zobject_attributes: nested(
      {
        _id: id({ about: 'Its id.', always: true }),
        ...attribute,
        created_at: timestamp({ about: 'When it was created.' }),
        updated_at: timestamp({ about: 'When it last changed.' }),
      },
      {
        about:
          'The attributes of zobjects of this type, besides the standard fields. Attributes that are sent change those of the same name, or are added.',
        item: 'zobject_attribute',
      },
    ),
    zobject_attributes_attributes: nested(
      { ...change, ...attribute },
      {
        about:
          'Changes to zobject_attributes: an object with an id, or with the name of an existing attribute, changes that attribute; any other adds one; _destroy removes one, together with its values.',
        writeOnly: true,
        item: 'zobject_attribute',
      },
    ),
  },
  order: { sort: 'title', order: 'asc' },
})
