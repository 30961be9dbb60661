import type { videos } from '../resources/videos.js'
import { ageRatings } from './age-ratings.js'
import type { WordsOf } from './field-words.js'

/** Fields that have inputs of their own: the file, the poster and the formats. */
type Hidden =
  | 'source_url'
  | 'formats'
  | 'zobject_id'
  | 'custom_thumbnail'
  | 'delete_custom_thumbnail'
  | 'segments'

export const videoWords = {
  title: { label: 'Title', help: null },
  friendly_title: { label: 'Name in links', help: 'The part of the link that stands for the title.' },
  internal_title: { label: 'Internal title', help: 'For your own lists. Players show the title instead.' },
  description: { label: 'Description', help: null },
  short_description: { label: 'Short description', help: 'One or two lines, shown in lists.' },
  keywords: { label: 'Keywords', help: 'Words that viewers might search for.' },
  active: { label: 'Published', help: 'Visible to viewers. A schedule can change this automatically.' },
  enable_at: { label: 'Publish at', help: 'The video is hidden until then.' },
  disable_at: { label: 'Unpublish at', help: 'The video is hidden from then on.' },
  published_at: {
    label: 'Publication date',
    help: 'The date that viewers see. Defaults to the day of the upload.',
  },
  featured: { label: 'Featured', help: 'Apps can show featured videos first.' },
  mature_content: { label: 'Mature content', help: 'For adults only.' },
  parental_guidelines_rating: { label: 'Age rating', help: null, options: ageRatings },
  country: { label: 'Country of origin', help: null },
  language: { label: 'Language', help: 'The spoken language.' },
  genre: { label: 'Genre', help: 'For example Drama.' },
  episode: { label: 'Episode', help: 'Its number within the season.' },
  season: { label: 'Season', help: 'Its number within the series.' },
  series_id: {
    label: 'Series',
    help: 'Your name or ID for the series. Videos with the same one belong together.',
  },
  source_id: { label: 'Your video ID', help: 'The ID of this video in your own system.' },
  foreign_id: { label: 'External ID', help: 'The ID of this video in another system.' },
  youtube_id: { label: 'YouTube ID', help: null },
  vimeo_id: { label: 'Vimeo ID', help: null },
  hulu_id: { label: 'Hulu ID', help: null },
  crunchyroll_id: { label: 'Crunchyroll ID', help: null },
  kaltura_id: { label: 'Kaltura ID', help: null },
  mrss_id: { label: 'Feed item ID', help: 'Its ID in the feed that it was imported from.' },
  discovery_url: { label: 'Page on your site', help: 'Where the video is shown on your site.' },
  custom_thumbnail_url: {
    label: 'Thumbnail URL',
    help: 'An image from the web to use instead of the poster.',
  },
  live_event: { label: 'Live event', help: 'Show this video as a live event.' },
  on_air: { label: 'On air', help: 'The live event is running now.' },
  on_air_at: { label: 'Starts at', help: null },
  off_air_at: { label: 'Ends at', help: null },
  subscription_required: { label: 'Subscription', help: 'Subscribers can watch.' },
  pass_required: { label: 'Pass', help: 'Viewers with a pass can watch.' },
  purchase_required: { label: 'For sale', help: 'Viewers who buy this video can watch.' },
  purchase_price: { label: 'Purchase price', help: 'For example 4.99' },
  rental_required: { label: 'For rent', help: 'Viewers who rent this video can watch.' },
  rental_price: { label: 'Rental price', help: 'For example 2.99' },
  rental_duration: { label: 'Rental period (days)', help: '2 days if empty.' },
  registration_required: {
    label: 'Sign-in',
    help: 'Viewers need an account and don’t pay. Has no effect if they have to pay or to redeem a code.',
  },
  redemption_code_required: {
    label: 'Redemption code',
    help: 'Viewers who redeem a code for this video can watch.',
  },
  subscription_ads_enabled: { label: 'Ads for subscribers', help: 'Subscribers see ads as well.' },
  marketplace_ids: { label: 'App store IDs', help: 'One row per store, such as itunes, googleplay or roku.' },
  preview_ids: { label: 'Trailers', help: 'Other videos that are trailers of this one.' },
  custom_attributes: { label: 'Custom attributes', help: 'Your own names and values, for your apps.' },
  transcriptions_enabled: {
    label: 'Allow transcription',
    help: 'Apps and services may transcribe this video.',
  },
  translations_enabled: { label: 'Allow translation', help: 'Apps and services may translate this video.' },
  playout_ad: { label: 'Ad in playouts', help: 'Use this video as an ad in a linear playout.' },
  playout_bumper: {
    label: 'Bumper in playouts',
    help: 'Use this video between programs of a linear playout.',
  },
  playout_slate: { label: 'Slate in playouts', help: 'Use this video to fill gaps in a linear playout.' },
  zobject_ids: { label: 'Custom objects', help: null },
  content_rule_profile_id: { label: 'Audience rules', help: null },
  categories: { label: 'Category', help: null },
  categories_attributes: { label: 'Categories', help: null },
  segments: { label: 'Chapters', help: null },
  status: { label: 'Status', help: null },
  duration: { label: 'Duration', help: null },
  created_at: { label: 'Added', help: null },
  request_count: { label: 'Player loads', help: null },
} as const satisfies WordsOf<typeof videos, Hidden>
