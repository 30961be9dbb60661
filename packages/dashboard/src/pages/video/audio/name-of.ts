import type { Entry } from '../../../data/records.js'
import { languageOf } from '../../../ui/languages.js'
import { strings } from './strings.js'

/** How a track is called: by its publisher, or by its language. */
export const nameOf = ({ title, language }: Pick<Entry<'audio_tracks'>, 'title' | 'language'>): string =>
  title || (language && (languageOf(language)?.name ?? language)) || strings.unnamed
