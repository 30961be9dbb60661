import {
  choice,
  flag,
  id,
  integer,
  list,
  longText,
  map,
  money,
  nested,
  number,
  objects,
  text,
  timestamp,
} from '../fields.js'
import { defineResource } from '../resource.js'
import { imageChanges, images } from './images.js'
import { playlistActions } from './playlist-actions.js'
import { rule, sortOption } from './playlist-fields.js'
import { dpt, zobjectOptions } from './read-options.js'
import { titled } from './titled.js'

const kept =
  'Stored for existing apps, without effect: buyers of a playlist may watch what it currently contains.'

export const playlists = defineResource({
  name: 'playlist',
  plural: 'playlists',
  shownIn: 'videos',
  about:
    'An ordered list of videos, filled by hand or by the categories of the videos. Playlists can be nested.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  optionalFields: ['playlist_zobjects'],
  readOptions: zobjectOptions('Playlists', 'playlist_zobjects'),
  listOptions: { dpt },
  fields: {
    ...titled('Shown to viewers.'),
    internal_title: text({
      about:
        'A title for your own lists. Players do not show it, but everybody who may read the record sees it.',
      maxLength: 500,
    }),
    description: longText({ about: 'Shown beside the title.' }),
    active: flag({ about: 'Shown to viewers if true.', default: true, filter: ['is'], hides: true }),
    keywords: list(text({ about: 'A keyword.', maxLength: 100 }), {
      about: 'Words to find the playlist by.',
      item: 'keyword',
      search: true,
    }),
    parent_id: id({ about: 'The playlist that contains it; null at the top level.', filter: ['is', 'not'] }),
    priority: integer({
      about:
        'Its position among its siblings, the lowest first. If another playlist has the same position, the new one comes right after it; the last position by default.',
      default: 0,
      max: 1_000_000,
      sort: true,
    }),
    playlist_type: choice(['manual', 'category'], {
      about: 'manual: filled by hand. category: contains the videos that match its categories.',
      default: 'manual',
      filter: ['is'],
    }),
    match_type: choice(['any', 'all'], {
      about: 'Whether a video must match any or all of the categories.',
      default: 'any',
    }),
    categories: nested(rule, {
      about: 'The rules of a playlist of the type category. An update replaces the whole list.',
      item: 'category',
      filter: ['any', 'or', 'all', 'not'],
      filterAs: ['category'],
    }),
    sort_options: nested(sortOption, {
      about: 'The order of a playlist of the type category: by one field, and for equal values by the next.',
      item: 'sort_option',
      maxItems: 2,
    }),
    thumbnail_layout: choice(['landscape', 'poster', 'square'], {
      about: 'The aspect ratio of its pictures.',
      default: 'landscape',
    }),
    custom_thumbnail_url: text({
      about: 'An image to use as its thumbnail.',
      maxLength: 2000,
      format: 'url',
    }),
    discovery_url: text({ about: "Its page on the publisher's site.", maxLength: 2000, format: 'url' }),
    purchase_required: flag({ about: 'Sold as a whole.' }),
    purchase_price: money({ about: 'Price of a purchase, as a decimal string.' }),
    rental_required: flag({ about: 'Rented as a whole.' }),
    rental_price: money({ about: 'Price of a rental, as a decimal string.' }),
    rental_duration: integer({ about: 'Days a rental lasts; 2 if empty or 0.', max: 36_500 }),
    auto_update_video_entitlements: flag({ about: kept }),
    auto_remove_video_entitlements: flag({ about: kept }),
    marketplace_ids: map({ about: 'Ids in the stores: itunes, googleplay, roku, amazon_fire_tv, apple_tv…' }),
    content_rule_profile_id: id({
      about: 'The content rule profile that determines who may watch it where.',
    }),
    playlist_item_count: integer({
      about: 'Active videos in it. In a playlist of the type category, they are counted up to 10,000.',
      computed: true,
      default: 0,
    }),
    related_video_ids: list(id({ about: 'A video.' }), {
      about: 'The first hundred active videos in it, in its order.',
      computed: true,
      item: 'video_id',
    }),
    video_id: id({
      about: 'Not shown: a filter for playlists that contain a video.',
      computed: true,
      writeOnly: true,
      filter: ['is'],
    }),
    zobject_id: list(id({ about: 'A zobject.' }), {
      about: 'Not shown: a filter for playlists to which zobjects are attached.',
      computed: true,
      writeOnly: true,
      item: 'zobject_id',
      filter: ['any', 'or', 'all', 'not'],
    }),
    ...images,
    ...imageChanges,
    thumbnails: objects(
      {
        url: text({ about: 'Where it is.', always: true, maxLength: 2000 }),
        width: integer({ about: 'Pixels across.' }),
        height: integer({ about: 'Pixels down.' }),
        aspect_ratio: number({ about: 'Width over height.' }),
        name: text({ about: 'Its name.' }),
      },
      {
        about:
          'The picture of the playlist that viewers see: its custom thumbnail, if there is one. The size of a picture at your own URL is unknown.',
        item: 'thumbnail',
      },
    ),
    deleted_at: timestamp({
      about: 'Always null: removed playlists cannot be restored.',
      computed: true,
      derived: true,
    }),
  },
  actions: playlistActions,
})
