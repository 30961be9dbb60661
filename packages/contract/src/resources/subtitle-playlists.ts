import { id, text } from '../fields.js'
import { defineResource } from '../resource.js'
import { videos } from './videos.js'

export const subtitlePlaylists = defineResource({
  name: 'subtitle_playlist',
  plural: 'subtitle_playlists',
  about:
    'Subtitles that lie at another address, as an HLS playlist of WebVTT segments: the playlist of the video names them, one for each language. Nothing is fetched: players do.',
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
      about: 'Its code; it, or the English name, stands in paths instead of the id too.',
      computed: true,
      always: true,
      format: 'language',
    }),
    source_url: text({
      about:
        'Where the playlist is: https, and open to other sites (CORS), so that players on pages can read it.',
      required: true,
      maxLength: 2000,
      format: 'url',
    }),
  },
})
