import type { playlists } from '../resources/playlists.js'
import type { WordsOf } from './field-words.js'

/** The two switches have no effect and are kept for existing apps. The thumbnail is set by its URL. */
type Hidden =
  | 'auto_update_video_entitlements'
  | 'auto_remove_video_entitlements'
  | 'custom_thumbnail'
  | 'delete_custom_thumbnail'

export const playlistWords = {
  title: { label: 'Title', help: null },
  friendly_title: { label: 'Name in links', help: 'Derived from the title if empty.' },
  internal_title: { label: 'Internal title', help: 'For your own lists. Apps show the title instead.' },
  description: { label: 'Description', help: null },
  active: { label: 'Published', help: 'Visible to viewers.' },
  keywords: { label: 'Keywords', help: 'Words that viewers might search for.' },
  parent_id: { label: 'Parent playlist', help: 'Leave empty for the top level.' },
  priority: {
    label: 'Position',
    help: 'Among the playlists beside it, lowest first. Leave empty for the last position.',
  },
  playlist_type: {
    label: 'Filled',
    help: 'Choose the videos yourself, or let rules choose them by category.',
    options: { manual: 'By hand', category: 'Automatically' },
  },
  match_type: {
    label: 'Videos must match',
    help: null,
    options: { any: 'Any of the categories', all: 'All of the categories' },
  },
  categories: {
    label: 'Categories',
    help: null,
    of: {
      category_id: { label: 'Category', help: null },
      title: { label: 'Category title', help: null },
      value: { label: 'Include', help: null },
      exclude_values: { label: 'Exclude', help: null },
      _destroy: { label: 'Remove', help: null },
    },
  },
  sort_options: {
    label: 'Order',
    help: 'Videos with the same value are sorted by the next row.',
    of: {
      sort_by: {
        label: 'Sort by',
        help: null,
        options: { created_at: 'Date added', published_at: 'Publication date', title: 'Title' },
      },
      direction: { label: 'Direction', help: null, options: { asc: 'Ascending', desc: 'Descending' } },
      sort_by_type: {
        label: 'Type of value',
        help: 'Only for apps that read it.',
        options: {
          date: 'Date',
          datetime: 'Date and time',
          string: 'Text',
          integer: 'Whole number',
          array: 'List',
          boolean: 'Yes or no',
        },
      },
    },
  },
  thumbnail_layout: {
    label: 'Shape of its images',
    help: null,
    options: { landscape: 'Landscape', poster: 'Poster', square: 'Square' },
  },
  custom_thumbnail_url: { label: 'Thumbnail URL', help: 'An image from the web.' },
  discovery_url: { label: 'Page on your site', help: 'Where the playlist is shown on your site.' },
  purchase_required: { label: 'For sale', help: 'Viewers can buy the whole playlist.' },
  purchase_price: { label: 'Purchase price', help: 'For example 19.99' },
  rental_required: { label: 'For rent', help: 'Viewers can rent the whole playlist.' },
  rental_price: { label: 'Rental price', help: 'For example 9.99' },
  rental_duration: { label: 'Rental period (days)', help: '2 days if empty.' },
  marketplace_ids: { label: 'App store IDs', help: 'One row per store, such as itunes, googleplay or roku.' },
  content_rule_profile_id: { label: 'Audience rules', help: null },
  playlist_item_count: { label: 'Videos', help: null },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof playlists, Hidden>
