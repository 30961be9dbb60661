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
import { hlsFormats, publishedFormats } from '../published-formats.js'
import { defineResource } from '../resource.js'
import { imageChanges, images } from './images.js'
import { dpt, zobjectOptions } from './read-options.js'
import { titled } from './titled.js'
import { videoActions } from './video-actions.js'
import { videoCategories } from './video-categories.js'
import { segment, videoChanges } from './video-changes.js'
import { videoHistory } from './video-history.js'
import { wideSearch } from './video-search.js'

const parentalRatings = [
  'tv-y', 'tv-y7', 'tv-y7_fv', 'tv-g', 'tv-pg', 'tv-14', 'tv-ma', 'g', 'pg', 'pg-13', 'r', 'nc-17', '10', '12', '13',
  '14', '16', '18', 'l', 'a', 'aa', 'b', 'b15', 'c', 'd', 'not_rated', 'tv-15-17', 'tv-ao', 'atp',
] as const // biome-ignore format: one list, read as one

export const thumbnail = {
  url: text({ about: 'Where it is.', always: true, maxLength: 2000 }),
  width: integer({ about: 'Pixels across.' }),
  height: integer({ about: 'Pixels down.' }),
  aspect_ratio: number({ about: 'Width over height.' }),
  name: text({ about: 'Its name.' }),
} as const

const defined = defineResource({
  name: 'video',
  plural: 'videos',
  about: 'A video with all its details.',
  access: { read_only: 'read', app: 'read', consumer: 'read' },
  keptDays: 30,
  counted: true,
  history: videoHistory,
  readOptions: {
    manifest: flag({
      about: 'Videos that everybody may watch show the URL of their playlist, as manifest.',
    }),
    ...zobjectOptions('Videos', 'video_zobjects'),
    include_related_videos: flag({ about: 'Videos show their related videos, as related_videos.' }),
    expand_related_videos: flag({ about: 'The same, with the complete record of each related video.' }),
  },
  includes: {
    subtitles: 'subtitles',
    audio_tracks: 'audio_tracks',
    related_playlists: 'playlists',
    previews: 'videos',
  },
  listOptions: { dpt },
  wideSearch,
  fields: {
    ...titled('Shown to viewers.'),
    internal_title: text({
      about:
        'A title for your own lists. Players do not show it, but everybody who may read the record sees it.',
      maxLength: 500,
    }),
    description: longText({ about: 'Shown beside the title.' }),
    short_description: longText({ about: 'A line or two, for lists.', maxLength: 2000 }),
    keywords: list(text({ about: 'A keyword.', maxLength: 100 }), {
      about: 'Words to find the video by.',
      item: 'keyword',
      filter: ['any', 'or', 'all', 'not'],
      search: true,
    }),
    active: flag({
      about: 'Shown to viewers if true. enable_at and disable_at switch it automatically.',
      default: true,
      filter: ['is'],
      hides: true,
    }),
    enable_at: timestamp({ about: 'Becomes active at this time; hidden until then.', filter: ['range'] }),
    disable_at: timestamp({ about: 'Becomes inactive at this time.', filter: ['range'] }),
    published_at: timestamp({
      about: 'The date shown to viewers; by default the time of creation.',
      always: true,
      default: 'now',
      filter: ['is', 'range'],
      sort: true,
    }),
    featured: flag({ about: 'Featured by the publisher.', filter: ['is'] }),
    mature_content: flag({ about: 'For adults.', filter: ['is'] }),
    parental_guidelines_rating: choice(parentalRatings, { about: 'Age rating.', filter: ['is', 'not'] }),
    country: text({ about: 'Country of origin.', maxLength: 100 }),
    language: text({
      about: 'ISO 639-1 code of the spoken language. English names are accepted too.',
      maxLength: 35,
      format: 'language',
    }),
    genre: text({ about: 'Genre.', filter: ['is', 'not'] }),
    episode: number({
      about: 'Number within the season.',
      max: 1_000_000,
      filter: ['is', 'range'],
      sort: true,
    }),
    season: number({ about: 'Number of the season.', max: 1_000_000, filter: ['is', 'range'], sort: true }),
    series_id: text({ about: 'Your own id of the series.', filter: ['is', 'not'] }),
    source_id: text({ about: 'Your own id of the video.', filter: ['is', 'not'], search: true }),
    foreign_id: text({ about: 'Its id in another system.' }),
    youtube_id: text({ about: 'Its id on YouTube.', filter: ['is'] }),
    vimeo_id: text({ about: 'Its id on Vimeo.', filter: ['is'] }),
    hulu_id: text({ about: 'Its id on Hulu.', filter: ['is'] }),
    crunchyroll_id: text({ about: 'Its id on Crunchyroll.', filter: ['is'] }),
    kaltura_id: text({ about: 'Its id on Kaltura.' }),
    mrss_id: text({ about: 'Its id in the feed it came from.' }),
    discovery_url: text({ about: "Its page on the publisher's site.", maxLength: 2000, format: 'url' }),
    custom_thumbnail_url: text({
      about: 'An image to use as its thumbnail.',
      maxLength: 2000,
      format: 'url',
    }),
    source_url: text({
      about:
        'A URL to fetch the film from, for a new video or to replace its film. Never shown here: the import has it.',
      maxLength: 2000,
      format: 'url',
    }),
    formats: map({
      about: `Formats in which this video differs from its channel: ${hlsFormats[0]} … ${hlsFormats.at(-1)}, mp4_360p, webm_360p, each true or false. Empty to follow the channel.`,
      maxKeys: Object.keys(publishedFormats).length,
    }),
    live_event: flag({ about: 'A live event.', filter: ['is'] }),
    on_air: flag({ about: 'The live event is on the air now.', filter: ['is'] }),
    on_air_at: timestamp({ about: 'When the live event starts.', filter: ['range'] }),
    off_air_at: timestamp({ about: 'When the live event ends.', filter: ['range'] }),
    subscription_required: flag({ about: 'Only for subscribers.', filter: ['is'] }),
    pass_required: flag({ about: 'Only with a pass.', filter: ['is'] }),
    purchase_required: flag({ about: 'Only for buyers.', filter: ['is'] }),
    purchase_price: money({ about: 'Price of a purchase, as a decimal string.' }),
    rental_required: flag({ about: 'Only for renters.', filter: ['is'] }),
    rental_price: money({ about: 'Price of a rental, as a decimal string.' }),
    rental_duration: integer({ about: 'Days a rental lasts; 2 if empty or 0.', max: 36_500 }),
    registration_required: flag({ about: 'Only for signed-in viewers.', filter: ['is'] }),
    redemption_code_required: flag({ about: 'Only with a redemption code.', filter: ['is'] }),
    subscription_ads_enabled: flag({ about: 'Subscribers see ads too.', default: true }),
    marketplace_ids: map({
      about: 'Ids in the stores: itunes, googleplay, roku, amazon_fire_tv, apple_tv, samsung…',
    }),
    preview_ids: list(id({ about: 'A video.' }), {
      about: 'Other videos, used as trailers. The filter finds videos that use one of them.',
      item: 'preview_id',
      filter: ['any'],
      filterAs: ['preview_id'],
    }),
    custom_attributes: map({ about: 'Your own key/value pairs.' }),
    transcriptions_enabled: flag({ about: 'May be transcribed.' }),
    translations_enabled: flag({ about: 'May be translated.' }),
    playout_ad: flag({ about: 'Used as an ad in a playout.' }),
    playout_bumper: flag({ about: 'Used as a bumper in a playout.' }),
    playout_slate: flag({ about: 'Used as a slate in a playout.' }),
    status: choice(['created', 'uploading', 'processing', 'ready', 'failed', 'deleted'], {
      about: 'The state of the video; created means that it has no source yet.',
      computed: true,
      default: 'created',
      filter: ['is', 'not'],
      hides: 'failed',
    }),
    status_reason: text({
      about: 'Why it, or a new film for it, failed or waits, as a sentence.',
      computed: true,
      maxLength: 2000,
    }),
    playable_at: timestamp({ about: 'When it could first be played.', computed: true }),
    complete_at: timestamp({ about: 'When every enabled rendition was finished.', computed: true }),
    transcoded: flag({ about: 'At least one rendition is finished.', computed: true }),
    duration: integer({ about: 'Whole seconds.', computed: true, filter: ['is', 'range'], sort: true }),
    precise_duration: number({ about: 'Seconds with their fraction.', computed: true }),
    rating: number({
      about: 'Mean of the viewers’ ratings.',
      computed: true,
      max: 5,
      filter: ['range'],
      sort: true,
    }),
    request_count: integer({
      about: 'Player requests so far.',
      computed: true,
      default: 0,
      filter: ['is', 'range'],
      sort: true,
    }),
    ...videoCategories,
    thumbnails: objects(thumbnail, {
      about:
        'The picture that viewers see before the video plays: the custom thumbnail if there is one, otherwise the poster, in several sizes. The size of a picture at your own URL is unknown.',
      item: 'thumbnail',
    }),
    preview_url: text({
      about: 'The URL of an animated thumbnail of a few seconds.',
      computed: true,
      maxLength: 2000,
    }),
    ...images,
    renditions: objects(
      {
        name: text({ about: 'The published format, such as hls_720p.', always: true }),
        status: text({ about: 'Where it stands.', always: true }),
        progress: integer({ about: 'Per cent done.', max: 100 }),
        width: integer({ about: 'Pixels across.' }),
        height: integer({ about: 'Pixels down.' }),
        bitrate: integer({ about: 'Bits a second.' }),
        filesize: integer({ about: 'Bytes.', max: 9_007_199_254_740_991 }),
      },
      { about: 'The published formats and the progress of each.', item: 'rendition' },
    ),
    data_sources: objects(
      {
        _id: id({ about: 'Its id.', always: true }),
        active: flag({ about: 'In use.' }),
        duration: integer({ about: 'Whole seconds.' }),
        status: text({ about: 'Where it stands.' }),
        thumbnails: objects(thumbnail, { about: 'Its pictures.', item: 'thumbnail' }),
      },
      { about: 'The source files of the video.', item: 'data_source' },
    ),
    segments: nested(
      { _id: id({ about: 'Its id.' }), ...segment },
      { about: 'Chapters. Sending them changes them like segments_attributes.', item: 'segment' },
    ),
    video_zobjects: objects(
      {
        _id: id({ about: 'Its id.', always: true }),
        title: text({ about: 'Its title.' }),
        description: text({ about: 'Its description.' }),
        zobject_type_title: text({ about: 'Its type.' }),
      },
      { about: 'Custom objects attached to the video.', item: 'video_zobject', selectable: true },
    ),
    zobject_ids: list(id({ about: 'A custom object.' }), {
      about: 'Ids of the custom objects attached to the video; sending them replaces the whole list.',
      item: 'zobject_id',
      filter: ['any', 'or', 'all', 'not'],
      filterAs: ['zobject_id'],
    }),
    related_playlist_ids: list(id({ about: 'A playlist.' }), {
      about: 'The playlists that contain it, by hand or by rules, and those above them.',
      computed: true,
      item: 'playlist_id',
      filter: ['any'],
      filterAs: ['playlist_id.inclusive'],
    }),
    video_source_types: list(text({ about: 'A kind of source.' }), {
      about: 'The kinds of source of the video.',
      computed: true,
      item: 'video_source_type',
      filter: ['any'],
      filterAs: ['video_source_type', 'type'],
    }),
    ...videoChanges,
    ...imageChanges,
    content_rule_profile_id: id({
      about: 'The content rule profile that determines who may watch it where.',
    }),
  },
  actions: videoActions,
})

/** A named type, so that types of related resources refer to it instead of spelling it out. */
export interface Videos extends Readonly<typeof defined> {}
export const videos: Videos = defined
