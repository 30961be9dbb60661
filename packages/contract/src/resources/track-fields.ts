import { flag, id, text } from '../fields.js'

/** The fields that audio tracks and subtitles share. */
export const trackFields = {
  video_id: id({ about: 'The video it belongs to.', computed: true, always: true }),
  file_file_name: text({ about: 'Its name on your machine.' }),
}

/** Options of their language, which only subtitles need to have. */
export const trackLanguage = {
  about:
    'The code of its language: ISO 639-1 such as en, or BCP 47 such as pt-BR. English names are accepted too.',
  maxLength: 35,
  format: 'language',
  filter: ['is', 'not'],
} as const

export const offered = (about: string) => flag({ about, default: true, filter: ['is'], hides: true })
