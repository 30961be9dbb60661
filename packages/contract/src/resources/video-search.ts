import { choice, flag, id, integer, list, number, objects, text } from '../fields.js'
import { limits } from '../limits.js'
import type { RecordOf } from '../record-types.js'

/** Options of the list of videos. They search in more than the fields that `q` looks at. */
export const wideSearch = {
  search: text({
    about:
      'Words to look for in titles, keywords, descriptions, your own ids and titles of zobjects. Publishers’ keys also search the lines of active subtitles. All words must occur in the fields of a video or in one of its subtitles; the last may be a prefix. Without a match, misspelt words are corrected. Videos show where the words are, as matches: the field, its text in pieces (parts, each with text and hit), and for a line of a subtitle its subtitle_id, language and time. The response says what was found, as search.',
    maxLength: limits.search_length.value,
  }),
  search_exact: flag({ about: 'With search, corrects no words.' }),
} as const

/** Where a search found its words in a video. */
const searchMatch = {
  field: choice(
    [
      'title',
      'keywords',
      'source_id',
      'video_zobjects',
      'internal_title',
      'short_description',
      'description',
      'subtitles',
    ],
    { about: 'Where the words are.', required: true },
  ),
  parts: objects(
    {
      text: text({ about: 'Plain text.', always: true, maxLength: 5000 }),
      hit: flag({ about: 'Whether it is one of the words.' }),
    },
    { about: 'The text around the words, in pieces.', required: true, item: 'item' },
  ),
  subtitle_id: id({ about: 'The subtitle that has the line; null for other fields.' }),
  language: text({ about: 'The language of the subtitle; null for other fields.', maxLength: 35 }),
  time: number({ about: 'When the line appears, in seconds; null for other fields.' }),
} as const

/** What a search found in all. */
export const searchSummary = {
  asked: text({ about: 'The words of the request.', required: true, maxLength: limits.search_length.value }),
  searched: text({
    about: 'The words that were searched for. They differ from asked if misspelt words were corrected.',
    required: true,
    maxLength: limits.search_length.value,
  }),
  suggestion: text({
    about: 'Words that find more, if there are few matches; otherwise null.',
    maxLength: limits.search_length.value,
  }),
  words: list(text({ about: 'A word.' }), {
    about: 'The single words that were searched for.',
    item: 'word',
  }),
  total: integer({
    about: `The number of videos found, counted up to ${limits.counted.value}.`,
    required: true,
  }),
  total_exact: flag({ about: 'False if there are more than were counted.', default: true }),
} as const

export type SearchMatch = RecordOf<{ readonly fields: typeof searchMatch }>
export type SearchSummary = RecordOf<{ readonly fields: typeof searchSummary }>
