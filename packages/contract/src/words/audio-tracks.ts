import type { audioTracks } from '../resources/audio-tracks.js'
import type { WordsOf } from './field-words.js'

export const audioTrackWords = {
  file: { label: 'File', help: 'About as long as the video.' },
  language: { label: 'Language', help: null },
  title: { label: 'Label', help: 'Shown in the player menu. Defaults to the language.' },
  kind: {
    label: 'Type',
    help: null,
    options: { main: 'Main audio', description: 'Audio description', commentary: 'Commentary' },
  },
  default: { label: 'Default', help: 'Played unless the viewer chooses another track.' },
  active: { label: 'Published', help: 'Viewers can choose it in the player.' },
} as const satisfies WordsOf<typeof audioTracks, 'file_file_name'>
