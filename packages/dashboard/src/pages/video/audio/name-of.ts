import type { Entry } from '../../../data/records.js'
import { languageOf } from '../../../ui/languages.js'
import { strings } from './strings.js'

/** How a track is called: by its publisher, by its language, or by where it comes from. */
export const nameOf = ({
  title,
  language,
  origin,
}: Pick<Entry<'audio_tracks'>, 'title' | 'language' | 'origin'>): string =>
  title ||
  (language && (languageOf(language)?.name ?? language)) ||
  (origin === 'film' ? strings.ofFilm : strings.unnamed)
