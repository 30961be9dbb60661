import { id, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const subtitlePlaylists = defineResource({
  name: 'subtitle_playlist',
  plural: 'subtitle_playlists',
  about:
    'Subtitles at another URL, as an HLS playlist of WebVTT segments. The playlist of the video refers to them, one for each language. Only players fetch them.',
  access: {},
  within: videos,
  alsoNamedBy: 'language_code',
  operations: ['list', 'get', 'create', 'remove'],
  fields: {
    video_id: id({ about: 'The video.', computed: true, always: true }),
    language: text({
      about: 'The language, by its English name such as Spanish, or by its code such as es.',
      required: true,
      maxLength: 100,
      format: 'language',
    }),
    language_code: text({
      about: 'The language code; it, or the English name, can be used in paths instead of the id.',
      computed: true,
      always: true,
      format: 'language',
    }),
    source_url: text({
      about:
        'The URL of the playlist: https, and readable by other sites (CORS), so that players on web pages can load it.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
  },
})
