import type { adTags } from '../resources/ad-tags.js'
import type { categories } from '../resources/categories.js'
import type { feeds } from '../resources/feeds.js'
import type { programGuides } from '../resources/program-guides.js'
import type { videoSources } from '../resources/video-sources.js'
import type { zobjectTypes } from '../resources/zobject-types.js'
import type { zobjects } from '../resources/zobjects.js'
import type { WordsOf } from './field-words.js'

export const categoryWords = {
  title: { label: 'Title', help: 'Must be unique.' },
  friendly_title: { label: 'Name in links', help: 'Derived from the title if empty.' },
  values: {
    label: 'Values',
    help: 'The values videos can be given. Replacing a value renames it everywhere.',
  },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof categories>

export const adTagWords = {
  name: { label: 'Name', help: null },
  _type: {
    label: 'Type of ad server',
    help: null,
    options: { 'AdTag::Vast': 'VAST', 'AdTag::Googima': 'Google IMA' },
  },
  active: { label: 'Published', help: 'Players and apps use it.' },
  disabled: { label: 'Paused', help: 'Not used for now.' },
  tag: { label: 'Ad tag URL', help: null },
  vmap: { label: 'VMAP', help: 'The ad server decides when ads are shown.' },
  scope: {
    label: 'Count plays',
    help: null,
    options: { library: 'Of all videos together', video: 'Of each video' },
  },
  interval_count: { label: 'Show ads every … plays', help: 'Leave empty for every play.' },
  interval_seconds: { label: 'Seconds between ads', help: null },
  network_key: { label: 'Ad network key', help: null },
  device_id: { label: 'Device', help: 'Leave empty for all devices.' },
  device_category_id: { label: 'Type of device', help: 'Leave empty for all types.' },
} as const satisfies WordsOf<typeof adTags, 'revenue_partner_id'>

export const feedWords = {
  playlist_id: { label: 'Playlist', help: 'The feed lists its videos, in order.' },
  title: { label: 'Title', help: 'Leave empty to use the playlist’s title.' },
  description: { label: 'Description', help: 'Leave empty to use the playlist’s description.' },
  link: { label: 'Page on your site', help: 'Leave empty to use the playlist’s page.' },
  language: { label: 'Language', help: 'The language of its titles and descriptions.' },
  media: {
    label: 'Links to',
    help: 'Podcast apps need MP4. Videos without an MP4 file link to HLS.',
    options: { hls: 'HLS (several sizes)', mp4: 'MP4 file' },
  },
  item_limit: { label: 'Videos per page', help: 'Above 100, use a multiple of 100.' },
  active: { label: 'Published', help: 'The feed can be read.' },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof feeds>

export const programGuideWords = {
  name: { label: 'Name', help: null },
  url: { label: 'XMLTV file', help: 'A web address. Apps that use the guide can see it.' },
  channel: { label: 'Channel in the file', help: 'The ID of a channel. Leave empty to use the first one.' },
  language: { label: 'Languages', help: 'For titles and descriptions, best first.' },
  time_zone: { label: 'Time zone', help: 'For times without one in the file, such as Europe/Paris.' },
  video_ids: { label: 'Videos', help: 'The videos that this guide belongs to.' },
  status: {
    label: 'Status',
    help: null,
    options: { created: 'New', synced: 'Up to date', failed: 'Failed' },
  },
  program_guide_entry_count: { label: 'Programs', help: null },
  refreshed_at: { label: 'Updated', help: null },
} as const satisfies WordsOf<typeof programGuides>

export const videoSourceWords = {
  name: { label: 'Name', help: 'Leave empty to use the feed’s title.' },
  url: { label: 'Feed URL', help: 'An MRSS, RSS or Atom feed.' },
  guid: { label: 'Your source ID', help: 'The ID of this source in your own system.' },
  sync_interval: { label: 'Update', help: null, options: { hourly: 'Every hour', daily: 'Every day' } },
  auto_add: { label: 'Import automatically', help: 'If off, you choose which videos to import.' },
  auto_activate: { label: 'Publish automatically', help: 'New videos are published once they are imported.' },
  auto_deactivate: {
    label: 'Unpublish removed videos',
    help: 'Videos that leave the feed are unpublished, and published again if they come back.',
  },
  sync_video_data_source: {
    label: 'Keep videos up to date',
    help: 'Changes in the feed are applied to videos.',
  },
  import_from: { label: 'Published from', help: 'Imports only videos from this date on.' },
  import_to: { label: 'Published until', help: 'Imports only videos up to this date.' },
  mrss_category_values: {
    label: 'Categories in the feed',
    help: 'Imports only videos in one of these categories.',
  },
  category_id: {
    label: 'Add to category',
    help: 'New videos get the values of this category that match their categories in the feed.',
  },
  status: {
    label: 'Status',
    help: null,
    options: { created: 'New', ready: 'Up to date', failed: 'Failed' },
  },
  video_count: { label: 'Imported', help: null },
  refreshed_at: { label: 'Updated', help: null },
} as const satisfies WordsOf<typeof videoSources, 'type'>

export const zobjectTypeWords = {
  title: { label: 'Type name', help: 'Unique name, stored in lower case. The API uses it.' },
  description: { label: 'Description', help: null },
  videos_enabled: { label: 'For videos', help: 'Objects can be attached to videos.' },
  playlists_enabled: { label: 'For playlists', help: 'Objects can be attached to playlists.' },
  zobject_attributes_attributes: { label: 'Fields', help: null },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof zobjectTypes, 'zobject_attributes'>

export const zobjectWords = {
  title: { label: 'Title', help: null },
  description: { label: 'Description', help: null },
  active: { label: 'Published', help: 'Visible to viewers.' },
  keywords: { label: 'Keywords', help: 'Words that viewers might search for.' },
  created_at: { label: 'Created', help: null },
} as const satisfies WordsOf<typeof zobjects, 'zobject_type' | 'friendly_title' | 'custom'>
