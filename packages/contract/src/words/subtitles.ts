import type { subtitles } from '../resources/subtitles.js'
import type { WordsOf } from './field-words.js'

export const subtitleWords = {
  file: { label: 'File', help: 'An .srt or .vtt file.' },
  language: { label: 'Language', help: null },
  title: { label: 'Label', help: 'Shown in the player menu. Must be unique; defaults to the language name.' },
  default: {
    label: 'On by default',
    help: 'Only one subtitle track can be the default.',
  },
  forced: { label: 'Forced', help: 'Only translates signs and foreign dialog.' },
  active: { label: 'Published', help: 'Viewers can choose it in the player.' },
} as const satisfies WordsOf<typeof subtitles, 'extension_type' | 'file_file_name'>
