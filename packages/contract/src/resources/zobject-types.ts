import { change, choice, flag, id, integer, longText, nested, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'

const attribute = {
  field_name: text({
    about: 'Its name, which is a key of the records: letters, digits and underscores.',
    maxLength: 60,
  }),
  field_type: choice(
    ['string', 'text', 'integer', 'float', 'number', 'boolean', 'date', 'datetime', 'url', 'array'],
    { about: 'What it holds; text when absent.', default: 'string' },
  ),
  description: text({ about: 'What it is for.', maxLength: 2000 }),
  show_list: flag({ about: 'Shown in the lists of the dashboard.' }),
} as const

export const zobjectTypes = defineResource({
  name: 'zobject_type',
  plural: 'zobject_types',
  about:
    'A kind of object of your own (actors, teams, rows of a home screen…): its name, and what each of them has.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  fields: {
    title: text({
      about: 'Its name, which a channel has once; kept in small letters. Calls about zobjects name it.',
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
        created_at: timestamp({ about: 'When it was made.' }),
        updated_at: timestamp({ about: 'When it last changed.' }),
      },
      {
        about:
          'What each zobject of this type has beside a title and the like. Those sent change the ones of the same name, or are added.',
        item: 'zobject_attribute',
      },
    ),
    zobject_attributes_attributes: nested(
      { ...change, ...attribute },
      {
        about:
          'Changes to zobject_attributes: with an id, or the name of one that is there, it is changed; otherwise one is added; with _destroy it is removed, and what the zobjects have in it.',
        writeOnly: true,
        item: 'zobject_attribute',
      },
    ),
  },
  order: { sort: 'title', order: 'asc' },
})
