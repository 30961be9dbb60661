import { couldNotSave } from '../../errors.js'
import { languageCode, languageName } from '../../lib/language.js'

/** Returns the code of a language given by its name or code. */
export function readLanguage(given: string, what = 'subtitle'): string {
  const code = languageCode(given)
  if (code !== undefined) return code
  const why = 'must be a language by its code, such as en, de or pt-BR, or by its English name'
  throw couldNotSave(what, 'language', why)
}

/** Returns the default title of a subtitle. */
export function usualTitle(language: string, forced: boolean): string {
  const name = (languageName(language) ?? language).slice(0, 80)
  return forced ? `${name} (forced)` : name
}
