import { flag, id, list, longText, map, objects, text, timestamp } from '../fields.js'
import { defineResource } from '../resource.js'
import { pictureChanges } from './images.js'
import { playlists } from './playlists.js'
import { titled } from './titled.js'
import { videos } from './videos.js'

const zobject_type = text({
  about: 'The title of its type. Required for lists and new zobjects; optional if an id is given.',
  always: true,
  maxLength: 100,
  beside: ['zobject_type'],
})
const video_id = list(id({ about: 'A video.' }), {
  about: 'The videos.',
  required: true,
  item: 'video_id',
  maxItems: 100,
})

const playlist_id = list(id({ about: 'A playlist.' }), {
  about: 'The playlists.',
  required: true,
  item: 'playlist_id',
  maxItems: 100,
})

export const zobjects = defineResource({
  name: 'zobject',
  plural: 'zobjects',
  shownIn: 'videos',
  about:
    'A custom object of one of your types. The attributes of the type are ordinary fields of the record. Lists and new zobjects name the type as zobject_type.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  memberOptions: { zobject_type },
  fields: {
    zobject_type: { ...zobject_type, filter: ['is'] },
    zobject_type_id: id({ about: 'Its type.', computed: true, always: true }),
    zobject_type_title: text({ about: 'The title of its type.', computed: true, always: true }),
    ...titled('Its title.'),
    description: longText({ about: 'Its description.' }),
    active: flag({ about: 'Shown to viewers if true.', filter: ['is'], hides: true }),
    keywords: list(text({ about: 'A keyword.', maxLength: 100 }), {
      about: 'Words to find it by.',
      item: 'keyword',
      search: true,
    }),
    video_ids: list(id({ about: 'A video.' }), {
      about: 'The videos it is attached to.',
      computed: true,
      item: 'video_id',
      filter: ['any'],
      filterAs: ['video_id'],
    }),
    playlist_ids: list(id({ about: 'A playlist.' }), {
      about: 'The playlists it is attached to.',
      computed: true,
      item: 'playlist_id',
      filter: ['any'],
      filterAs: ['playlist_id'],
    }),
    pictures: objects(
      {
        id: id({ about: 'Its id.', always: true }),
        title: text({ about: 'Its title.' }),
        caption: text({ about: 'Shown beside it.' }),
        url: text({ about: 'Where it is.', always: true, maxLength: 2000 }),
        content_type: text({ about: 'The type of the file.' }),
        updated_at: timestamp({ about: 'When it last changed.' }),
      },
      { about: 'Its pictures.', item: 'picture' },
    ),
    ...pictureChanges,
    custom: map({
      about:
        'All attributes of its type together; each is also a field of the record, and may be sent as one. Names that the type does not define are ignored.',
      rest: true,
      filter: ['is'],
    }),
  },
  actions: {
    add_videos: {
      method: 'PUT',
      about: 'Attaches it to videos; existing attachments stay.',
      access: {},
      body: { zobject_type, video_id },
    },
    remove_videos: {
      method: 'PUT',
      about: 'Detaches it from videos; those it is not attached to are ignored.',
      access: {},
      body: { zobject_type, video_id },
    },
    videos: {
      method: 'GET',
      about: 'The videos it is attached to, as a list of videos.',
      access: { read_only: true, app: true, consumer: true },
      answers: 'list',
      of: videos,
      body: { zobject_type },
    },
    add_playlists: {
      method: 'PUT',
      about: 'Attaches it to playlists; existing attachments stay.',
      access: {},
      body: { zobject_type, playlist_id },
    },
    remove_playlists: {
      method: 'PUT',
      about: 'Detaches it from playlists; those it is not attached to are ignored.',
      access: {},
      body: { zobject_type, playlist_id },
    },
    playlists: {
      method: 'GET',
      about: 'The playlists it is attached to, as a list of playlists.',
      access: { read_only: true, app: true, consumer: true },
      answers: 'list',
      of: playlists,
      body: { zobject_type },
    },
  },
})
