import { flag, id, integer, list } from '../fields.js'
import { playlistTree } from './playlist-fields.js'
import { videos } from './videos.js'

const readers = { read_only: true, app: true, consumer: true } as const
const ids = (about: string) =>
  ({
    video_id: list(id({ about: 'A video.' }), { about, required: true, item: 'video_id', maxItems: 1000 }),
  }) as const

/** What can be done with a playlist beyond the five operations. */
export const playlistActions = {
  videos: {
    method: 'GET',
    about:
      'The videos of a playlist, in its order unless another is asked for; filtered like the list of all videos.',
    access: readers,
    answers: 'list',
    of: videos,
  },
  videos_relative: {
    method: 'GET',
    path: 'videos/relative',
    about:
      'The neighbours of a video in a playlist: what comes after it, and before it. Filtered and sorted like its videos.',
    access: readers,
    answers: 'list',
    of: videos,
    body: {
      anchor_video_id: id({ about: 'The video in the middle.', required: true }),
      after: integer({ about: 'How many of those after it; 3 when absent.', max: 100 }),
      before: integer({ about: 'How many of those before it; none when absent.', max: 100 }),
      include_anchor: flag({ about: 'Whether the video itself stands between them.' }),
    },
  },
  add_videos: {
    method: 'PUT',
    about:
      'Appends videos in the order given; those already in it stay where they are. Answers with its videos, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos to append.'),
  },
  remove_videos: {
    method: 'PUT',
    about: 'Takes videos out. Answers with the videos that remain, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos to take out.'),
  },
  order_videos: {
    method: 'PUT',
    about:
      'Puts videos that are in it in another order: they take the places that they hold, in the order given. The others stay where they are. Answers with its videos, 25 on a page.',
    access: {},
    answers: 'list',
    of: videos,
    body: ids('The videos, in their new order.'),
  },
  relationships: {
    method: 'GET',
    on: 'collection',
    about: 'How active playlists lie inside each other: all of them, or those inside one.',
    access: readers,
    answers: 'tree',
    of: playlistTree,
    body: { parent_id: id({ about: 'The playlist to begin below; all when absent.' }) },
  },
} as const
