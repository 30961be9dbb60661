import { flag, id, integer, list } from '../fields.js'
import { playlistTree } from './playlist-fields.js'
import { videos } from './videos.js'

const readers = { read_only: true, app: true, consumer: true } as const
const ids = (about: string) =>
  ({
    video_id: list(id({ about: 'A video.' }), { about, required: true, item: 'video_id', maxItems: 1000 }),
  }) as const

/** The actions of playlists, besides the five operations. */
export const playlistActions = {
  videos: {
    method: 'GET',
    about:
      'The videos of a playlist, in its order unless the request sorts them; takes the same filters as the list of all videos.',
    access: readers,
    answers: 'list',
    of: videos,
  },
  videos_relative: {
    method: 'GET',
    path: 'videos/relative',
    about:
      'The neighbours of a video in a playlist: those after it, and those before it. Takes the filters and the order of its videos.',
    access: readers,
    answers: 'list',
    of: videos,
    body: {
      anchor_video_id: id({ about: 'The video in the middle.', required: true }),
      after: integer({ about: 'How many after it; 3 by default.', max: 100 }),
      before: integer({ about: 'How many before it; none by default.', max: 100 }),
      include_anchor: flag({ about: 'Whether to include the video itself.' }),
    },
  },
  add_videos: {
    method: 'PUT',
    about:
      'Appends videos in the order given; videos already in it stay where they are. Returns its videos, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos to append.'),
  },
  remove_videos: {
    method: 'PUT',
    about: 'Removes videos. Returns the remaining videos, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos to take out.'),
  },
  order_videos: {
    method: 'PUT',
    about:
      'Reorders videos of the playlist: the given videos share the positions they already have, in the order given. The others stay where they are. Returns its videos, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos, in their new order.'),
  },
  relationships: {
    method: 'GET',
    on: 'collection',
    about: 'The tree of active playlists: all of them, or those inside one.',
    access: readers,
    answers: 'tree',
    of: playlistTree,
    body: { parent_id: id({ about: 'The playlist to start below; all if absent.' }) },
  },
} as const
